import { parentPort } from 'node:worker_threads';

/** The far side of the grouped detour: gives each list back as it came. */
parentPort?.on('message', (sockets: readonly number[]) => parentPort?.postMessage(sockets));
parentPort?.postMessage([]);
