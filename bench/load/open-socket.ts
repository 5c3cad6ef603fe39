import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import WebSocket from 'ws';
import type { LoadTarget } from './job.ts';

type SocketTarget = Extract<LoadTarget, { kind: 'socket' }>;

export const CONNECT_MS_MAX = 5_000;

/** Opens a WebSocket that is ready for requests, and returns its connection, too. Throws if that takes too long. */
export async function openSocket(
  url: string,
  { subprotocol, headers, greets }: SocketTarget,
): Promise<{ readonly socket: WebSocket; readonly tcp: Socket }> {
  const { hostname, port } = new URL(url);
  const tcp = connect({ host: hostname, port: Number(port), noDelay: true });
  const socket = new WebSocket(url, subprotocol ? [subprotocol] : [], {
    headers,
    perMessageDeflate: false,
    handshakeTimeout: CONNECT_MS_MAX,
    createConnection: () => tcp,
  });
  const signal = AbortSignal.timeout(CONNECT_MS_MAX);
  // Listens for the greeting before the connection is open, since both may arrive in one segment.
  const opened = once(socket, 'open', { signal });
  const greeted = greets ? once(socket, 'message', { signal }) : Promise.resolve([]);
  await Promise.all([opened, greeted]);
  return { socket, tcp };
}
