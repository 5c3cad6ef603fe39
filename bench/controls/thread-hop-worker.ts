import { parentPort } from 'node:worker_threads';
import type { Hop } from './thread-hop.ts';

/** The far side of the detour: gives each message back as it came. */
parentPort?.on('message', (hop: Hop) => parentPort?.postMessage(hop));
parentPort?.postMessage({ socketId: 0, bytes: new Uint8Array() } satisfies Hop);
