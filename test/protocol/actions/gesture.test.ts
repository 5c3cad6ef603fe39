import t from 'tap';
import { accept, NOT_COORDINATES, NOT_WHOLE, refuse } from '../checks.ts';

interface Step {
  phase: unknown;
  points: unknown;
  delayMs?: unknown;
}

const ONE = [{ x: 0.5, y: 0.5 }];
const TWO = [...ONE, { x: 0.25, y: 0.75 }];

/** A valid gesture of `count` steps, whose steps a test changes. */
function stepsOf(count: number, points: unknown = ONE): Step[] {
  return Array.from({ length: count }, (_, index) => ({
    phase: index === 0 ? 'begin' : index === count - 1 ? 'end' : 'move',
    points,
  }));
}

/** The same, with `change` merged into the step at `index`. */
const changed = (count: number, index: number, change: Partial<Step>): Step[] =>
  stepsOf(count).map((step, at) => (at === index ? { ...step, ...change } : step));

const gesture = (steps: unknown, timeoutMs?: number) => ({
  action: 'gesture',
  steps,
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
});

t.test('a gesture has 2 to 1,000 steps', async (t) => {
  for (const count of [2, 3, 999, 1_000]) t.match(accept(gesture(stepsOf(count))), { action: 'gesture' });
  for (const steps of [[], stepsOf(1), stepsOf(1_001), undefined, null, 'begin', {}]) {
    t.match(refuse(gesture(steps), 'steps', t).message, /must be a list with 2 to 1000 items$/);
  }
});

t.test('each step has one or two points', async (t) => {
  accept(gesture(stepsOf(2, ONE)));
  accept(gesture(stepsOf(2, TWO)));
  for (const points of [[], [...TWO, ...ONE], undefined, ONE[0], 'x']) {
    t.match(refuse(gesture(changed(3, 1, { points })), 'steps[1].points', t).message, /a list of one or two points$/);
  }
});

t.test('every step has as many points as the first', async (t) => {
  t.match(refuse(gesture(changed(3, 1, { points: TWO })), 'steps[1].points', t).message, /list of 1,/);
  t.match(refuse(gesture(changed(3, 0, { points: TWO })), 'steps[1].points', t).message, /list of 2,/);
  refuse(gesture(changed(3, 2, { points: TWO })), 'steps[2].points', t);
});

t.test('the first step begins, the last ends, and all between move', async (t) => {
  for (const phase of ['move', 'end']) refuse(gesture(changed(3, 0, { phase })), 'steps[0].phase', t);
  for (const phase of ['begin', 'end']) refuse(gesture(changed(3, 1, { phase })), 'steps[1].phase', t);
  for (const phase of ['begin', 'move']) refuse(gesture(changed(3, 2, { phase })), 'steps[2].phase', t);
  for (const phase of ['Begin', 'cancel', '', null, 1, undefined]) {
    t.match(refuse(gesture(changed(3, 1, { phase })), 'steps[1].phase', t).message, /one of begin, move, end$/);
  }
});

t.test('a delay is a whole number from 0 to 5,000 ms', async (t) => {
  for (const delayMs of [0, 1, 5_000]) accept(gesture(changed(3, 1, { delayMs })));
  for (const delayMs of [-1, 5_001, ...NOT_WHOLE]) refuse(gesture(changed(3, 1, { delayMs })), 'steps[1].delayMs', t);
});

t.test('the last step waits for nothing: its delay is absent or 0', async (t) => {
  accept(gesture(changed(3, 2, { delayMs: 0 })));
  t.match(refuse(gesture(changed(3, 2, { delayMs: 1 })), 'steps[2].delayMs', t).message, /must be 0 or absent/);
});

t.test('the delays together are at most the default timeout', async (t) => {
  const withDelays = (...delays: number[]) =>
    gesture(stepsOf(delays.length + 1).map((step, index) => ({ ...step, delayMs: delays[index] ?? 0 })));
  accept(withDelays(5_000, 5_000, 5_000));
  const { message } = refuse(withDelays(5_000, 5_000, 5_000, 1), 'steps', t);
  t.equal(message, 'have delays of 15001 ms in all, more than the timeout of 15000 ms');
});

t.test('the delays together are at most the timeout that is given', async (t) => {
  accept(gesture(changed(2, 0, { delayMs: 100 }), 100));
  refuse(gesture(changed(2, 0, { delayMs: 101 }), 100), 'steps', t);
  accept(
    gesture(
      stepsOf(13).map((step, index) => ({ ...step, delayMs: index === 12 ? 0 : 5_000 })),
      60_000,
    ),
  );
  refuse(
    gesture(
      stepsOf(14).map((step, index) => ({ ...step, delayMs: index === 13 ? 0 : 5_000 })),
      60_000,
    ),
    'steps',
    t,
  );
});

t.test('a wrong coordinate is named by step and point', async (t) => {
  for (const value of NOT_COORDINATES) {
    refuse(gesture(changed(3, 2, { points: [{ x: value, y: 0 }] })), 'steps[2].points[0].x', t);
    refuse(gesture(changed(3, 2, { points: [...ONE, { x: 0, y: value }] })), 'steps[2].points[1].y', t);
  }
});

t.test('an unknown field is refused by its path at every level', async (t) => {
  refuse({ ...gesture(stepsOf(2)), speed: 1 }, 'speed', t);
  refuse(gesture(changed(2, 1, { pressure: 1 } as object)), 'steps[1].pressure', t);
  refuse(gesture(changed(2, 1, { points: [{ x: 0, y: 0, z: 1 }] })), 'steps[1].points[0].z', t);
  refuse(gesture([...stepsOf(1), 'end']), 'steps[1]', t);
});

t.test('absent delays are completed to 0, and negative zero to zero', async (t) => {
  const request = accept(gesture(changed(3, 1, { delayMs: -0, points: [{ x: -0, y: -0 }] })));
  if (request.action !== 'gesture') throw new Error('not a gesture');
  t.same(
    request.steps.map(({ delayMs }) => delayMs),
    [0, 0, 0],
  );
  const [, step] = request.steps;
  t.ok(Object.is(step?.delayMs, 0) && Object.is(step?.points[0]?.x, 0) && Object.is(step?.points[0]?.y, 0));
});
