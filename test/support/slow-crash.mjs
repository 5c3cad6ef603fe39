// A thread that crashes at once, and has work under way for longer than a crash usually takes.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
const { beforeCrash } = await import('../../server/link/worker-port.ts');
beforeCrash(async () => {
  await sleep(5_000);
  parentPort.postMessage('done');
});
setImmediate(() => {
  throw new Error('broken');
});
