import { parentPort } from 'node:worker_threads';
import type { Hop } from './thread-hop.ts';

/** The worker of the thread hop: returns each message unchanged. */
parentPort?.on('message', (hop: Hop) => parentPort?.postMessage(hop));
parentPort?.postMessage({ socketId: 0, bytes: new Uint8Array() } satisfies Hop);
