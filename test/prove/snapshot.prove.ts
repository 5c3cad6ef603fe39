import t from 'tap';
import { judgeRestored } from '../phone/restored.ts';

/** Of each phone. */
const WALKS = 100;

for (const which of ['ios', 'android', 'fold'] as const) {
  t.test(`${which}: ${WALKS} states are taken over with equal pixels and equal trees, and go on alike`, async (t) => {
    let equal = 0;
    for (let seed = 100; seed < 100 + WALKS; seed++) equal += Number(judgeRestored(t, which, seed));
    t.equal(equal, WALKS);
    t.comment(`${which}: ${equal} of ${WALKS}`);
  });
}
