import { isMainThread, parentPort, Worker } from 'node:worker_threads';

/**
 * The thread to which a peer passes its taps if it keeps its device away from its sockets, as the service does. It takes one
 * tap after the other and confirms each.
 */
if (!isMainThread) parentPort.on('message', ({ call }) => parentPort.postMessage({ call, pointCount: 1 }));

/** Starts the thread and returns a function that resolves when the thread has taken a tap. */
export function startDeviceThread() {
  const worker = new Worker(new URL(import.meta.url));
  const waiting = new Map();
  let calls = 0;
  worker.on('message', ({ call, pointCount }) => {
    waiting.get(call)?.({ pointCount });
    waiting.delete(call);
  });
  return ({ x, y }) =>
    new Promise((resolve) => {
      waiting.set(++calls, resolve);
      worker.postMessage({ call: calls, x, y });
    });
}
