import t from 'tap';
import { walkObserved } from '../support/observed-walk.ts';

for (const platform of ['ios', 'android'] as const) {
  t.test(`${platform}: what is told of inputs at random agrees with the pixels`, (t) =>
    walkObserved(t, { platform, steps: 50, droppedEach: 7, seed: 5 }),
  );
}
