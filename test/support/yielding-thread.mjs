import { readlinkSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

// A thread that lowers its own priority, tells its number and whether it did, and ends when it is told to.
register();
const { yieldThread } = await import('../../server/flow/thread-priority.ts');
parentPort.postMessage({ lowered: yieldThread(), link: readlinkSync('/proc/thread-self') });
parentPort.once('message', () => process.exit());
