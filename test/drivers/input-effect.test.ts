import t from 'tap';
import { movesScreen } from '../../server/drivers/input-effect.ts';

const TIMES = { restsWithinMs: 50, effectMs: 50 } as const;

/** A screen of which each pull makes so many pictures, the last number again and again. */
function pulled(...pictures: readonly number[]) {
  let version = 7;
  let pulls = 0;
  const screen = {
    get version() {
      return version;
    },
    newerThan: async (before: number) => version > before,
  };
  const pull = async () => {
    version += pictures[Math.min(pulls++, pictures.length - 1)] ?? 0;
  };
  return { screen, pull, pulls: () => pulls };
}

t.test('a screen that follows the finger is pulled once', async (t) => {
  const { screen, pull, pulls } = pulled(8);
  t.equal(await movesScreen(screen, pull, TIMES), true);
  t.equal(pulls(), 1);
});

t.test('a slow screen has to move a second time', async (t) => {
  const { screen, pull, pulls } = pulled(2);
  t.equal(await movesScreen(screen, pull, TIMES), true);
  t.equal(pulls(), 2);
});

t.test('a part of the picture that changes by itself, such as a clock, does not count as an effect', async (t) => {
  for (const once of [1, 4]) {
    const { screen, pull, pulls } = pulled(once, 0);
    t.equal(await movesScreen(screen, pull, TIMES), false);
    t.equal(pulls(), 2);
  }
});

t.test('a screen on which nothing moves is pulled once', async (t) => {
  const { screen, pull, pulls } = pulled(0);
  t.equal(await movesScreen(screen, pull, TIMES), false);
  t.equal(pulls(), 1);
});

t.test('a screen that never rests is waited for no longer than it may, and believed', async (t) => {
  const { screen, pull, pulls } = pulled(1);
  const restless = { version: 1, newerThan: async () => true };
  t.equal(await movesScreen(restless, pull, TIMES), true);
  t.equal(pulls(), 1);
  t.ok(screen.version > 7);
});
