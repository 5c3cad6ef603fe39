import t from 'tap';
import type { Point, PointerPhase } from '../../../../server/device/driver.ts';
import { checkScrcpyInput } from '../../../../server/drivers/android/scrcpy/input-check.ts';

// Deadlines of the check's do not keep a process.
const alive = setInterval(() => undefined, 1_000);
t.teardown(() => clearInterval(alive));

/** A screen that shows another picture when a finger is where `moves` says. */
function screenOf(moves: (point: Point) => boolean) {
  const places: Point[] = [];
  let version = 0;
  let down = 0;
  const panel = {
    touch(phase: PointerPhase, points: readonly Point[]) {
      const [point] = points;
      if (phase === 'begin') down++;
      if (phase === 'end') down--;
      if (!point) return;
      places.push(point);
      if (moves(point)) version++;
    },
  };
  const screen = {
    get version() {
      return version;
    },
    newerThan: async (before: number) => version > before,
  };
  return { panel, screen, places, down: () => down };
}

t.test('a screen that answers to its upper edge is touched nowhere else, and let go', async (t) => {
  const { panel, screen, places, down } = screenOf(({ y }) => y > 0.1);
  await checkScrcpyInput(screen, panel);
  t.ok(places.every(({ y }) => y < 0.2));
  t.same(places[0], places.at(-1), 'what was pulled is put back');
  t.equal(down(), 0);
});

t.test('a screen without a shade is pulled to the side', async (t) => {
  const { panel, screen, places, down } = screenOf(({ x }) => x < 0.38 || x > 0.6);
  await checkScrcpyInput(screen, panel);
  t.ok(places.some(({ y }) => y > 0.4));
  t.equal(down(), 0);
});

t.test('a screen on which nothing moves is said to get no input, with what may be the matter', async (t) => {
  const { panel, screen, down } = screenOf(() => false);
  await t.rejects(checkScrcpyInput(screen, panel), {
    name: 'DeviceFault',
    kind: 'unavailable',
    message: /Input does not arrive.*developer option/,
  });
  t.equal(down(), 0);
});
