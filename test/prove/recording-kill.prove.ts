import { join } from 'node:path';
import t from 'tap';
import { proveKills } from '../support/prove-kills.ts';

/**
 * A server process is killed with SIGKILL at random moments from the start of a recording to its end, and again while the
 * next ones recover it. `RUNCLOUD_KILLS` says how often (100), `RUNCLOUD_SEED` repeats a run.
 */
const count = Number(process.env.RUNCLOUD_KILLS ?? 100);
const seed = Number(process.env.RUNCLOUD_SEED ?? Date.now() % 1_000_000);

t.test(`${count} histories of kills, seed ${seed}, lose at most the last second of any recording`, async (t) => {
  await proveKills(t, { count, seed, laterKillsMax: 3, folder: join(t.testdir(), 'data') });
});
