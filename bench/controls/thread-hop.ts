import uws, { type WebSocket } from 'uWebSockets.js';
import { startThread } from '../processes/thread.ts';
import { controlAnswer, controlReady } from './control-process.ts';
import { listenOnFreePort } from './uws-listen.ts';

/** The bare echo with one detour: each message goes to a worker thread and back before it is answered. */
const answer = controlAnswer();
const worker = startThread(new URL('./thread-hop-worker.ts', import.meta.url));

/** What crosses the threads: whose message it is, and the message. */
export interface Hop {
  readonly socketId: number;
  readonly bytes: Uint8Array;
}

interface SocketData {
  socketId: number;
}

const sockets = new Map<number, WebSocket<SocketData>>();
let lastSocketId = 0;

worker.on('message', ({ socketId }: Hop) => void sockets.get(socketId)?.send(answer, true));

const app = uws.App().ws<SocketData>('/*', {
  upgrade(response, request, context) {
    response.upgrade<SocketData>(
      { socketId: ++lastSocketId },
      request.getHeader('sec-websocket-key'),
      request.getHeader('sec-websocket-protocol'),
      request.getHeader('sec-websocket-extensions'),
      context,
    );
  },
  open: (socket) => void sockets.set(socket.getUserData().socketId, socket),
  close: (socket) => void sockets.delete(socket.getUserData().socketId),
  message(socket, message) {
    // The library's memory is gone after this callback, so the thread gets a copy.
    const hop: Hop = { socketId: socket.getUserData().socketId, bytes: new Uint8Array(message.slice(0)) };
    worker.postMessage(hop);
  },
});
// The thread's first message says that it is there.
worker.once('message', () => listenOnFreePort(app, (port) => controlReady('thread hop', port)));
