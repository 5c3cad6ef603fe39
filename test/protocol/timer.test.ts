import { startTimer, TIMER_MS_MAX } from '@runcloud/protocol/terms';
import fc from 'fast-check';
import t from 'tap';
import { NodeTimers } from '../support/node-timers.ts';

const DAY_MS = 86_400_000;
const TEN_YEARS_MS = 3_653 * DAY_MS;

/** When a timer of this delay fires, in milliseconds after its start. */
function firings(delayMs: number, untilMs: number): number[] {
  const timers = new NodeTimers();
  const fired: number[] = [];
  startTimer(delayMs, () => fired.push(timers.nowMs()), timers);
  timers.advance(untilMs);
  return fired;
}

t.test('the simulated timers overflow as those of Node.js do', async (t) => {
  const timers = new NodeTimers();
  const fired: number[] = [];
  for (const delayMs of [TIMER_MS_MAX + 1, Number.POSITIVE_INFINITY, Number.NaN, -5, 0]) {
    timers.set(() => fired.push(delayMs), delayMs);
  }
  timers.advance(1);
  t.equal(fired.length, 5);
});

t.test('a timer of any length up to ten years fires once and at its time', async (t) => {
  const around = [TIMER_MS_MAX - 1, TIMER_MS_MAX, TIMER_MS_MAX + 1, 2 * TIMER_MS_MAX, 2 * TIMER_MS_MAX + 1];
  for (const delayMs of [1, 5_000, DAY_MS, 600 * 3_600_000, 8_760 * 3_600_000, ...around, TEN_YEARS_MS]) {
    t.strictSame(firings(delayMs, 2 * TEN_YEARS_MS), [delayMs], `${delayMs}`);
  }
  fc.assert(
    fc.property(fc.integer({ min: 1, max: TEN_YEARS_MS }), (delayMs) => {
      const [first, ...more] = firings(delayMs, 2 * TEN_YEARS_MS);
      return first === delayMs && more.length === 0;
    }),
  );
});

t.test('a past time is due at once, and an infinite one never', async (t) => {
  for (const delayMs of [0, -1, -TEN_YEARS_MS, Number.NEGATIVE_INFINITY]) {
    t.strictSame(firings(delayMs, DAY_MS), [1], `${delayMs}`);
  }
  t.strictSame(firings(Number.POSITIVE_INFINITY, 10 * TEN_YEARS_MS), []);
});

t.test('a delay that is no number is refused, and sets no timer', async (t) => {
  const timers = new NodeTimers();
  t.throws(() => startTimer(Number.NaN, () => undefined, timers), RangeError);
  t.equal(timers.waiting, 0);
});

t.test('a timer can be taken back at any moment, and leaves nothing behind', async (t) => {
  for (const delayMs of [5, TEN_YEARS_MS]) {
    for (const afterMs of [0, 3, TIMER_MS_MAX + 5, 100 * DAY_MS]) {
      const timers = new NodeTimers();
      let fired = 0;
      const cancelTimer = startTimer(delayMs, () => fired++, timers);
      timers.advance(afterMs);
      cancelTimer();
      timers.advance(2 * TEN_YEARS_MS);
      t.equal(fired, afterMs > delayMs ? 1 : 0, `${delayMs} taken back after ${afterMs}`);
      t.equal(timers.waiting, 0);
    }
  }
});

t.test('a wait that fits a timer sets one', async (t) => {
  const timers = new NodeTimers();
  startTimer(TIMER_MS_MAX, () => undefined, timers);
  t.equal(timers.started, 1);
});
