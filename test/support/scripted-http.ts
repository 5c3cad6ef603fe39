import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Test } from 'tap';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Script = (request: SeenRequest, response: ServerResponse, index: number) => void | Promise<void>;

/** An HTTP server that answers as a test says, and keeps what it was asked. */
export interface ScriptedHttp {
  readonly url: string;
  readonly seen: SeenRequest[];
}

export async function startScriptedHttp(t: Test, script: Script): Promise<ScriptedHttp> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const answer = async () => {
      const { method = '', url: path = '', headers } = request;
      const taken = { method, path, headers, body: await buffer(request) };
      seen.push(taken);
      await script(taken, response, seen.length - 1);
    };
    answer().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

export function answerJson(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** The failure envelope of a service. */
export const failure = (code: string, retryable = false, more: object = {}) => ({
  ok: false,
  requestId: 'req_1',
  status: 'failed',
  acceptedAt: '2026-01-02T03:04:05.006Z',
  completedAt: '2026-01-02T03:04:05.016Z',
  durationMs: 10,
  ...more,
  error: { code, message: `It is ${code}.`, retryable, action: 'Do something.' },
});
