import t from 'tap';
import type { Clock } from '../../server/flow/clock.ts';
import { sleepUntil } from '../../server/flow/sleep.ts';
import { FakeClock } from '../support/fake-clock.ts';

t.test('it waits until the clock reaches the time, and not less', async (t) => {
  const clock = new FakeClock(1_000);
  let awake = false;
  const sleep = sleepUntil(1_250.5, clock, new AbortController().signal).then(() => {
    awake = true;
  });
  await clock.advance(250);
  t.equal(awake, false);
  await clock.advance(1);
  t.equal(awake, true);
  await sleep;
});

t.test('a timer that fires a little early, as those of Node.js do, does not end the sleep', async (t) => {
  const clock = new FakeClock(1_000);
  const hasty: Clock = {
    monotonicMs: () => clock.monotonicMs(),
    wallMs: () => clock.wallMs(),
    schedule: (delayMs, task) => clock.schedule(Math.max(0.25, delayMs - 0.75), task),
  };
  const woken = sleepUntil(1_016.6, hasty, new AbortController().signal).then(() => clock.monotonicMs());
  await clock.advance(100);
  t.ok((await woken) >= 1_016.6);
});

t.test('a time that has passed needs no timer', async (t) => {
  const clock = new FakeClock(1_000);
  await sleepUntil(1_000, clock, new AbortController().signal);
  await sleepUntil(3, clock, new AbortController().signal);
  t.equal(clock.waiting, 0);
});

t.test('a signal that has fired before rejects with its reason, whatever the time', async (t) => {
  const clock = new FakeClock(1_000);
  const signal = AbortSignal.abort(new Error('too late'));
  await t.rejects(sleepUntil(2_000, clock, signal), { message: 'too late' });
  await t.rejects(sleepUntil(0, clock, signal), { message: 'too late' });
  t.equal(clock.waiting, 0);
});

t.test('a signal that fires meanwhile rejects with its reason and takes the timer back', async (t) => {
  const clock = new FakeClock(1_000);
  const abort = new AbortController();
  const sleep = sleepUntil(2_000, clock, abort.signal);
  await clock.advance(500);
  abort.abort(new Error('wake up'));
  await t.rejects(sleep, { message: 'wake up' });
  t.equal(clock.waiting, 0);
});

t.test('a signal that fires after the sleep changes nothing', async (t) => {
  const clock = new FakeClock(1_000);
  const abort = new AbortController();
  const sleep = sleepUntil(1_100, clock, abort.signal);
  await clock.advance(100);
  abort.abort(new Error('too late'));
  await t.resolves(sleep);
});
