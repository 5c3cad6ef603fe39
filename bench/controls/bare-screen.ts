import { startThread } from '../processes/thread.ts';
import type { BareTap, BareTiles } from './bare-screen-messages.ts';
import { NumberedSockets } from './numbered-sockets.ts';

/**
 * The floor under a tap seen as tiles: a tap of four bytes crosses to a worker thread, which paints, compresses what has changed, and hands
 * the bytes back to be sent. Nothing else is done: no queue, no acknowledgement, no numbering, no pacing.
 */
const worker = startThread(new URL('./bare-screen-worker.ts', import.meta.url));
const sockets = new NumberedSockets();

worker.on('message', ({ socketId, bytes }: BareTiles) => void sockets.get(socketId)?.send(bytes, true));

// The thread's first message says that it is ready.
worker.once('message', () =>
  sockets.listen('bare screen', (socketId, message) => {
    const [x = 0, y = 0] = new Uint16Array(message);
    worker.postMessage({ socketId, x, y } satisfies BareTap);
  }),
);
