import t from 'tap';
import { poll } from '../../server/flow/poll.ts';
import { FakeClock } from '../support/fake-clock.ts';

/** Polls every 100 ms for 250 ms, and tells when attempts were made. */
function polled<T>(
  attempt: (count: number, clock: FakeClock) => T | Promise<T>,
  { signal, isWanted }: { signal?: AbortSignal; isWanted?: (value: T) => boolean } = {},
) {
  const clock = new FakeClock(0);
  const atMs: number[] = [];
  const counted = () => attempt(atMs.push(clock.monotonicMs()), clock);
  return { clock, atMs, result: poll(clock, { everyMs: 100, forMs: 250, signal }, counted, isWanted) };
}

t.test('a result of the first attempt is returned without a pause', async (t) => {
  const { clock, atMs, result } = polled(() => 'found');
  t.equal(await result, 'found');
  t.same(atMs, [0]);
  t.equal(clock.waiting, 0);
});

t.test('attempts follow each other with a pause until one gives something', async (t) => {
  const { clock, atMs, result } = polled(async (count) => (count === 3 ? 'found' : undefined));
  await clock.advance(1_000);
  t.equal(await result, 'found');
  t.same(atMs, [0, 100, 200]);
});

t.test('the pause counts from the end of an attempt', async (t) => {
  const { clock, atMs, result } = polled((count, clock) => {
    clock.turn(30);
    return count === 2;
  });
  await clock.advance(1_000);
  t.equal(await result, true);
  t.same(atMs, [0, 130]);
});

t.test('after the time limit the result of the last attempt is returned, and no further attempt is made', async (t) => {
  const { clock, atMs, result } = polled((count) => count, { isWanted: () => false });
  await clock.advance(1_000);
  t.equal(await result, 4);
  t.same(atMs, [0, 100, 200, 300]);
  t.equal(clock.waiting, 0);
});

t.test('the caller says what is wanted', async (t) => {
  const { clock, atMs, result } = polled((count) => count, { isWanted: (count) => count > 1 });
  await clock.advance(1_000);
  t.equal(await result, 2);
  t.same(atMs, [0, 100]);
});

t.test('an attempt that fails ends it', async (t) => {
  const { clock, atMs, result } = polled((count) => {
    if (count === 2) throw new Error('no');
  });
  const failed = t.rejects(result, { message: 'no' });
  await clock.advance(1_000);
  await failed;
  t.same(atMs, [0, 100]);
});

t.test('a signal ends the pause with its reason', async (t) => {
  const ending = new AbortController();
  const { clock, atMs, result } = polled(() => false, { signal: ending.signal });
  const failed = t.rejects(result, { message: 'enough' });
  await clock.advance(150);
  ending.abort(new Error('enough'));
  await failed;
  t.same(atMs, [0, 100]);
  t.equal(clock.waiting, 0);
});
