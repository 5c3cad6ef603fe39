import fc from 'fast-check';
import t from 'tap';
import type { Point } from '../../server/device/driver.ts';
import { type PlayedStep, playGesture, swipeSteps } from '../../server/drivers/gesture-player.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';

interface Touch {
  readonly atMs: number;
  readonly phase: string;
  readonly points: readonly Point[];
}

/** Plays steps on a surface that keeps what it was given, and when. */
function play(steps: readonly PlayedStep[], clock = new FakeClock(0)) {
  const touches: Touch[] = [];
  const told: number[] = [];
  const abort = new AbortController();
  const surface = {
    touch: (phase: string, points: readonly Point[]) => void touches.push({ atMs: clock.monotonicMs(), phase, points }),
  };
  const onStep = (count: number) => void told.push(count);
  const played = playGesture(surface, steps, { signal: abort.signal, clock, onStep });
  played.catch(() => undefined);
  return { clock, touches, told, abort, played, phases: () => touches.map(({ phase }) => phase) };
}

const at = (x: number) => [{ x, y: 0 }];
const STEPS: PlayedStep[] = [
  { phase: 'begin', points: at(0), delayMs: 100 },
  { phase: 'move', points: at(0.1), delayMs: 0 },
  { phase: 'move', points: at(0.2), delayMs: 50 },
  { phase: 'end', points: at(0.3), delayMs: 0 },
];

t.test('steps are played at their times, with their points, and counted', async (t) => {
  const { clock, touches, told, played } = play(STEPS);
  await clock.advance(1_000);
  t.equal(await played, 4);
  t.strictSame(
    touches.map(({ atMs, phase, points }) => [atMs, phase, points[0]?.x]),
    [
      [0, 'begin', 0],
      [100, 'move', 0.1],
      [100, 'move', 0.2],
      [150, 'end', 0.3],
    ],
  );
  t.strictSame(told, [1, 2, 3, 4]);
});

t.test('times count from the first step: late timers do not add up', async (t) => {
  const moves = Array.from({ length: 100 }, () => ({ phase: 'move' as const, points: at(0.5), delayMs: 10 }));
  const steps = [...STEPS.slice(0, 1), ...moves, ...STEPS.slice(-1)];
  const late = new FakeClock(0);
  const { schedule } = FakeClock.prototype;
  late.schedule = (delayMs, task) => schedule.call(late, delayMs + 4, task);
  const { touches, played } = play(steps, late);
  await late.advance(5_000);
  await played;
  t.equal(touches.at(-1)?.phase, 'end');
  t.ok((touches.at(-1)?.atMs ?? 0) <= 1_104, `ended at ${touches.at(-1)?.atMs} ms`);
});

t.test('times count from when the device has the fingers, however late that is', async (t) => {
  const clock = new FakeClock(0);
  const touches: (readonly [string, number])[] = [];
  const surface = { touch: (phase: string) => void touches.push([phase, clock.monotonicMs()]) };
  const taken = () => new Promise<void>((resolve) => void clock.schedule(70, resolve));
  const played = playGesture(surface, STEPS, { signal: new AbortController().signal, clock, taken });
  await clock.advance(1_000);
  t.equal(await played, 4);
  t.strictSame(touches, [
    ['begin', 0],
    ['move', 170],
    ['move', 170],
    ['end', 220],
  ]);
});

t.test('a device that does not take the fingers is lifted, and its own error is given', async (t) => {
  const { touches, clock } = play([]);
  const surface = { touch: (phase: string) => void touches.push({ atMs: 0, phase, points: [] }) };
  const taken = () => Promise.reject(new Error('nobody there'));
  const { signal } = new AbortController();
  await t.rejects(playGesture(surface, STEPS, { signal, clock, taken }), { message: 'nobody there' });
  t.strictSame(
    touches.map(({ phase }) => phase),
    ['begin', 'cancel'],
  );
});

t.test('an abort in between lifts the fingers at once and counts the steps done', async (t) => {
  const { clock, abort, played, phases } = play(STEPS);
  await clock.advance(120);
  abort.abort();
  await t.rejects(played, { name: 'DeviceFault', kind: 'aborted', dispatchedSteps: 3 });
  t.strictSame(phases(), ['begin', 'move', 'move', 'cancel']);
  t.equal(clock.waiting, 0);
  await clock.advance(1_000);
  t.equal(phases().length, 4, 'nothing more is played');
});

t.test('an abort before the first step touches nothing', async (t) => {
  const touches: string[] = [];
  const surface = { touch: (phase: string) => void touches.push(phase) };
  const options = { signal: AbortSignal.abort(), clock: new FakeClock() };
  await t.rejects(playGesture(surface, STEPS, options), { name: 'DeviceFault', kind: 'aborted', dispatchedSteps: 0 });
  t.strictSame(touches, []);
});

t.test('an abort after the last step changes nothing', async (t) => {
  const { clock, abort, played, phases } = play(STEPS);
  await clock.advance(150);
  abort.abort();
  t.equal(await played, 4);
  t.equal(phases().at(-1), 'end');
});

t.test('a surface that fails is lifted, and its own error is given', async (t) => {
  const touches: string[] = [];
  const clock = new FakeClock();
  const surface = {
    touch: (phase: string) => {
      touches.push(phase);
      if (phase === 'move') throw new Error('wet glass');
    },
  };
  const played = t.rejects(playGesture(surface, STEPS, { signal: new AbortController().signal, clock }), {
    message: 'wet glass',
  });
  await clock.advance(500);
  await played;
  t.strictSame(touches, ['begin', 'move', 'cancel']);
});

t.test('a thousand steps without delay are played at once', async (t) => {
  const moves = Array.from({ length: 998 }, () => ({ phase: 'move' as const, points: at(0.5), delayMs: 0 }));
  const { played } = play([{ ...(STEPS[0] as PlayedStep), delayMs: 0 }, ...moves, ...STEPS.slice(-1)]);
  await settled();
  t.equal(await played, 1_000);
});

const coordinate = fc.double({ min: 0, max: 1, noNaN: true });
const point = fc.record({ x: coordinate, y: coordinate });

t.test('a swipe begins and ends exactly, stays on the display and lasts as long as it was asked to', async () => {
  fc.assert(
    fc.property(point, point, fc.integer({ min: 50, max: 30_000 }), (from, to, durationMs) => {
      const steps = swipeSteps(from, to, durationMs);
      const [first, last] = [steps[0], steps.at(-1)];
      if (first?.phase !== 'begin' || first.points[0] !== from) throw new Error('begins elsewhere');
      if (last?.phase !== 'end' || last.points[0] !== to || last.delayMs !== 0) throw new Error('ends elsewhere');
      const moves = steps.slice(1, -1);
      if (moves.length === 0 || moves.some(({ phase }) => phase !== 'move')) throw new Error('does not move');
      for (const { points } of moves) {
        const [{ x, y } = { x: Number.NaN, y: Number.NaN }] = points;
        if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) throw new Error(`leaves the display at ${x}, ${y}`);
      }
      const totalMs = steps.reduce((sum, { delayMs }) => sum + delayMs, 0);
      if (Math.abs(totalMs - durationMs) > 1e-6) throw new Error(`lasts ${totalMs}`);
      const longestMs = Math.max(...steps.map(({ delayMs }) => delayMs));
      if (longestMs > 25) throw new Error(`${longestMs} ms between two moves`);
    }),
  );
});

t.test('a swipe moves at an even speed', async (t) => {
  const { clock, touches, played } = play(swipeSteps({ x: 0, y: 1 }, { x: 1, y: 0 }, 300));
  await clock.advance(301);
  t.equal(await played, touches.length);
  for (const { atMs, points } of touches.slice(1, -1)) {
    const [{ x, y } = { x: 0, y: 0 }] = points;
    t.ok(Math.abs(x - (1 - y)) < 1e-9);
    const leadMs = x * 300 - atMs;
    t.ok(leadMs > -2 && leadMs < 18, `${leadMs} ms ahead`);
  }
  t.ok(Math.abs((touches.at(-1)?.atMs ?? 0) - 300) <= 1);
});
