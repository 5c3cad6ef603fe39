import { type IncomingMessage, request } from 'node:http';
import type { Test } from 'tap';
import type { HttpReply } from '../../server/socket/http.ts';
import { listen } from './listen.ts';

/** A listener that answers each request with what `next` gives; its address. */
export async function serveReplies(t: Test, next: () => HttpReply | Promise<HttpReply>): Promise<string> {
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    http: { begin: next },
    sockets: { upgrade: () => ({ status: 404, body: '' }) },
    onFault: (error) => void t.fail(String(error)),
  });
  t.teardown(() => listener.close());
  return `http://127.0.0.1:${listener.port}/`;
}

/** An answer whose body is not read yet. */
export const answerOf = (url: string, method = 'GET'): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => request(url, { method }, resolve).on('error', reject).end());
