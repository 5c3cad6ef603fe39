import type { HttpReply } from '../socket/http.ts';
import type { Services } from './services.ts';

export const health = (): HttpReply => text(200, 'ok\n');

export function ready(_call: unknown, { unready }: Services): HttpReply {
  const reason = unready();
  return reason === undefined ? text(200, 'ready\n') : text(503, `${reason}\n`);
}

function text(status: number, body: string): HttpReply {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }, body };
}
