import t from 'tap';
import { judgeRestored } from '../phone/restored.ts';
import { temporaryDataDir } from '../support/server-process.ts';
import { proveSnapshotKills } from '../support/snapshot-kills.ts';

/** Of each phone. */
const WALKS = 100;
const KILLS = 50;

for (const which of ['ios', 'android', 'fold'] as const) {
  t.test(`${which}: ${WALKS} states are taken over with equal pixels and equal trees, and go on alike`, async (t) => {
    let equal = 0;
    for (let seed = 100; seed < 100 + WALKS; seed++) equal += Number(judgeRestored(t, which, seed));
    t.equal(equal, WALKS);
    t.comment(`${which}: ${equal} of ${WALKS}`);
  });
}

t.test(`${KILLS} kills of the service while snapshots are made leave each whole or absent`, async (t) => {
  const { path, remove } = temporaryDataDir();
  t.teardown(remove);
  await proveSnapshotKills(t, KILLS, path);
});
