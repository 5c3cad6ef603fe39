import { parentPort } from 'node:worker_threads';
import type { Hop } from './thread-hop.ts';

/** The thread of a hop: returns each message unchanged. The first one says that it is ready. */
parentPort?.on('message', (message: unknown) => parentPort?.postMessage(message));
parentPort?.postMessage({ socketId: 0, bytes: new Uint8Array() } satisfies Hop);
