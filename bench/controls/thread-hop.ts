import { startThread } from '../processes/thread.ts';
import { controlAnswer } from './control-process.ts';
import { NumberedSockets } from './numbered-sockets.ts';

/** The bare echo with a thread hop: each message goes to a worker thread and back before it is answered. */
const answer = controlAnswer();
const worker = startThread(new URL('./thread-hop-worker.ts', import.meta.url));

/** A message between the threads, with the socket that it belongs to. */
export interface Hop {
  readonly socketId: number;
  readonly bytes: Uint8Array;
}

const sockets = new NumberedSockets();

worker.on('message', ({ socketId }: Hop) => void sockets.get(socketId)?.send(answer, true));

// The thread's first message says that it is ready.
worker.once('message', () =>
  sockets.listen('thread hop', (socketId, message) => {
    // The library's memory is gone after this callback, so the thread gets a copy.
    const hop: Hop = { socketId, bytes: new Uint8Array(message.slice(0)) };
    worker.postMessage(hop);
  }),
);
