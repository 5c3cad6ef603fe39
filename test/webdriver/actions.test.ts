import t from 'tap';
import { type Deed, deedsOf, type Places } from '../../server/webdriver/actions.ts';
import { WebDriverFailure } from '../../server/webdriver/failure.ts';

/** A display of 100 by 200, on which everything that is an element is in the middle. */
const PLACES: Places = {
  width: 100,
  height: 200,
  middle: (origin) => (typeof origin === 'object' ? { x: 0.5, y: 0.5 } : undefined),
};

const finger = (...actions: readonly object[]) => ({ type: 'pointer', id: 'finger', actions });
const move = (x: number, y: number, more: object = {}) => ({ type: 'pointerMove', x, y, ...more });
const [down, up] = [{ type: 'pointerDown' }, { type: 'pointerUp' }];
const pause = (duration: number) => ({ type: 'pause', duration });

const stepsOf = (deed: Deed | undefined) => (deed?.kind === 'gesture' ? deed.steps : []);
const msOf = (deed: Deed | undefined) => stepsOf(deed).reduce((sum, { delayMs }) => sum + delayMs, 0);

t.test('a touch is a gesture of two steps, as long as its pause', async (t) => {
  t.strictSame(deedsOf([finger(move(25, 50), down, pause(80), up)], PLACES), [
    {
      kind: 'gesture',
      steps: [
        { phase: 'begin', points: [{ x: 0.25, y: 0.25 }], delayMs: 80 },
        { phase: 'end', points: [{ x: 0.25, y: 0.25 }], delayMs: 0 },
      ],
    },
  ]);
});

t.test('a move that takes time goes through what is between, and takes that time', async (t) => {
  const [deed] = deedsOf([finger(move(0, 0), down, move(100, 200, { duration: 160 }), up)], PLACES);
  const steps = stepsOf(deed);
  t.equal(steps.length, 12);
  t.equal(msOf(deed), 160);
  for (const [index, { points }] of steps.slice(0, -1).entries()) {
    t.match(points, [{ x: index / 10, y: index / 10 }], `step ${index}`);
  }
});

t.test('places are counted from the display, from the finger, or from the middle of an element', async (t) => {
  const [deed] = deedsOf(
    [finger(move(10, 20), down, move(5, -10, { origin: 'pointer' }), move(-10, 20, { origin: { element: 1 } }), up)],
    PLACES,
  );
  const places = stepsOf(deed).map(({ points }) => [points[0]?.x.toFixed(2), points[0]?.y.toFixed(2)]);
  t.strictSame(places, [
    ['0.10', '0.10'],
    ['0.15', '0.05'],
    ['0.40', '0.60'],
    ['0.40', '0.60'],
  ]);
});

t.test('two fingers move together, one after the other are two gestures, and keys stand between', async (t) => {
  const both = [finger(move(40, 100), down, move(10, 100), up), finger(move(60, 100), down, move(90, 100), up)];
  const [pinch] = deedsOf(both, PLACES);
  t.strictSame(
    stepsOf(pinch).map(({ phase, points }) => [phase, points.length]),
    [
      ['begin', 2],
      ['move', 2],
      ['end', 2],
    ],
  );
  const keys = {
    type: 'key',
    id: 'keys',
    actions: [pause(0), { type: 'keyDown', value: 'a' }, pause(30), { type: 'keyUp', value: 'a' }],
  };
  t.strictSame(deedsOf([keys], PLACES), [
    { kind: 'key', down: true, value: 'a' },
    { kind: 'pause', ms: 30 },
    { kind: 'key', down: false, value: 'a' },
  ]);
  const twice = deedsOf([finger(move(1, 1), down, up, pause(50), down, up)], PLACES);
  t.strictSame(
    twice.map(({ kind }) => kind),
    ['gesture', 'pause', 'gesture'],
  );
});

t.test('what a phone cannot do, and what says too little, is refused by name', async (t) => {
  const refused: readonly (readonly [readonly unknown[], string, RegExp])[] = [
    [[finger(move(101, 0))], 'move target out of bounds', /101, 0 is not on the display of 100 by 200/],
    [[finger(move(1, 1), down)], 'unsupported operation', /still down/],
    [[finger(move(1, 1), down, up), finger(move(1, 1), down, pause(1), up)], 'unsupported operation', /together/],
    [[finger(down, up), finger(down, up), finger(down, up)], 'unsupported operation', /one or two/],
    [[{ type: 'wheel', actions: [{ type: 'scroll' }] }], 'unsupported operation', /"wheel"/],
    [
      [finger({ type: 'pointerMove', x: '1', y: 1 })],
      'invalid argument',
      /actions\[0\]\.actions\[0\]\.x" must be a number/,
    ],
    [[finger(move(1, 1, { origin: 'there' }))], 'invalid argument', /origin/],
    [[finger(pause(60_001))], 'invalid argument', /duration" must be a number from 0 to 60000/],
    [[{ type: 'pointer' }], 'invalid argument', /actions\[0\]\.actions" must be a list/],
    [['x'], 'invalid argument', /actions\[0\]" must be an object/],
  ];
  for (const [sources, code, message] of refused) {
    try {
      deedsOf(sources, PLACES);
      t.fail(JSON.stringify(sources));
    } catch (error) {
      t.ok(error instanceof WebDriverFailure);
      t.match(error, { code, message });
    }
  }
  t.strictSame(deedsOf([finger(up)], PLACES), [], 'a finger that is not down is lifted by nothing');
});
