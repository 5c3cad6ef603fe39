import { parentPort } from 'node:worker_threads';

/** The worker of the grouped thread hop: returns each list unchanged. */
parentPort?.on('message', (sockets: readonly number[]) => parentPort?.postMessage(sockets));
parentPort?.postMessage([]);
