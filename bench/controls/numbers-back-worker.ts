import { parentPort } from 'node:worker_threads';

/** Returns each number unchanged. The first one says that it is ready. */
parentPort?.on('message', (call: number) => parentPort?.postMessage(call));
parentPort?.postMessage(0);
