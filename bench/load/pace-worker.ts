import { parentPort } from 'node:worker_threads';
import type { Pace } from './pace.ts';

/** Sleeps until each due time and reports it. After a late wake-up it reports the missed times at once. */
const never = new Int32Array(new SharedArrayBuffer(4));

parentPort?.on('message', ({ firstUs, periodUs, count }: Pace) => {
  for (let index = 0; index < count; index++) {
    const waitUs = firstUs + index * periodUs - Number(process.hrtime.bigint() / 1_000n);
    if (waitUs > 0) Atomics.wait(never, 0, 0, waitUs / 1_000);
    parentPort?.postMessage(0);
  }
});
parentPort?.postMessage(0);
