import t from 'tap';
import { walkObserved } from '../support/observed-walk.ts';

/** How many steps on both platforms together. */
const STEPS = Number(process.env.RUNCLOUD_STEPS ?? 2_000);
const SEED = Number(process.env.RUNCLOUD_SEED ?? 1);

for (const platform of ['ios', 'android'] as const) {
  t.test(`${platform}: what is told of ${STEPS / 2} inputs at random agrees with the pixels`, (t) =>
    walkObserved(t, { platform, steps: STEPS / 2, droppedEach: 50, seed: SEED }),
  );
}
