import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { proveKills } from '../support/prove-kills.ts';
import { S3Server, type Trouble } from '../support/s3/s3-server.ts';

/**
 * Recordings that go to an object store, while the service is killed at random moments and the store is in trouble now and then.
 * `RUNCLOUD_KILLS` says how often (100), `RUNCLOUD_SEED` repeats the kills of a run.
 */
const count = Number(process.env.RUNCLOUD_KILLS ?? 100);
const seed = Number(process.env.RUNCLOUD_SEED ?? Date.now() % 1_000_000);
const TROUBLES: readonly Trouble[] = ['away', 'full', 'wrong bytes'];
/** Most of the time the store is well: tries come at growing intervals. */
const WELL_MS = 1_500;
const TROUBLE_MS = 150;

t.test(`${count} histories of kills beside a store in trouble, seed ${seed}`, async (t) => {
  const store = await S3Server.start();
  t.teardown(() => store.close());
  const trouble = async () => {
    for (let turn = 0; !signal.aborted; turn++) {
      await setTimeout(WELL_MS, undefined, { signal });
      store.trouble = TROUBLES[turn % TROUBLES.length];
      await setTimeout(TROUBLE_MS, undefined, { signal });
      store.trouble = undefined;
    }
  };
  const over = new AbortController();
  const { signal } = over;
  const troubled = trouble().catch(() => undefined);
  t.teardown(async () => {
    over.abort();
    await troubled;
  });
  const { environment } = store;
  await proveKills(t, { count, seed, laterKillsMax: 3, folder: join(t.testdir(), 'data'), environment });
  t.same(store.refusals, []);
});
