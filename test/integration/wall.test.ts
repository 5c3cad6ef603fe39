import t from 'tap';
import { watchWall } from '../support/watch-wall.ts';

t.test('two walls of three moving sessions share one encoder of each', async (t) => {
  const { picturesPerSecond } = await watchWall(t, 3, 3);
  t.ok(picturesPerSecond > 0);
});
