import t from 'tap';
import { scrollDrags } from '../../../server/drivers/android/scroll.ts';

t.test('the drags of a scroll go the whole way together, against it, and stay on the screen', async (t) => {
  for (const [deltaX, deltaY] of [
    [0, 0.5],
    [0, -0.5],
    [1, 0],
    [-1, 1],
    [0, 1],
    [0.01, 0],
  ] as const) {
    for (const anchor of [
      { x: 0.5, y: 0.5 },
      { x: 0, y: 1 },
      { x: 0.9, y: 0.1 },
    ]) {
      const drags = scrollDrags(anchor, deltaX, deltaY);
      t.ok(drags.length >= 1 && drags.length <= 20);
      const sum = (way: 'x' | 'y') => drags.reduce((all, { from, to }) => all + to[way] - from[way], 0);
      t.ok(Math.abs(sum('x') + deltaX) < 1e-9 && Math.abs(sum('y') + deltaY) < 1e-9, `${deltaX}, ${deltaY}`);
      t.ok(drags.every(({ durationMs }) => durationMs >= 100));
      if (anchor.x === 0.5) t.ok(drags.every(({ to }) => to.x > 0 && to.x < 1 && to.y > 0 && to.y < 1));
    }
  }
});
