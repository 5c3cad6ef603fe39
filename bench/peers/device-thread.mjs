import { isMainThread, parentPort, Worker } from 'node:worker_threads';

/**
 * Where a peer's taps go that keeps its device away from its sockets, as the service does: a thread that takes one tap after
 * the other and says that it has.
 */
if (!isMainThread) parentPort.on('message', ({ call }) => parentPort.postMessage({ call, pointCount: 1 }));

/** Starts the thread; the function that it gives resolves when the thread has taken the tap. */
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
