import { Worker } from 'node:worker_threads';
import { systemClock } from '../../server/flow/clock.ts';
import { portToWorker } from '../../server/link/worker-port.ts';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';

const BOOT = new URL('../../server/store/log-boot.mjs', import.meta.url);

/** A store as a server has it, with its thread, and what it told of. Closed at the end of the test. */
export async function openServed(t: { testdir(): string; teardown(task: () => Promise<void>): void }) {
  const path = databasePath(t.testdir());
  const failures: string[] = [];
  const troubles: unknown[] = [];
  const store: Store = new Store(path, {
    clock: systemClock,
    startLog: (file) => portToWorker(new Worker(BOOT, { workerData: file })),
    onFailed: (reason) => void failures.push(reason),
    onTrouble: (error) => {
      store.notice(error);
      troubles.push(error);
    },
  });
  store.beginService();
  t.teardown(() => store.end());
  await store.durable();
  return { path, store, failures, troubles };
}
