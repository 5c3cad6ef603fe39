import t from 'tap';
import { watchWall } from '../support/watch-wall.ts';

t.test('a wall of sixteen moving sessions takes less than one core of the service', async (t) => {
  const { cores, picturesPerSecond } = await watchWall(t, 16, 20);
  t.ok(cores < 1, `${cores} cores`);
  t.ok(picturesPerSecond > 9, `${picturesPerSecond} pictures a second`);
});
