import t from 'tap';
import { followAgain } from '../../server/drivers/follow-again.ts';
import { sleepUntil } from '../../server/flow/sleep.ts';
import { FakeClock } from '../support/fake-clock.ts';

t.test('what ends at once is run again with growing pauses, and what ran for long soon', async (t) => {
  const clock = new FakeClock();
  const beginMs = clock.monotonicMs();
  const starts: number[] = [];
  let runMs = 0;
  const ending = new AbortController();
  const following = followAgain(clock, ending.signal, async () => {
    starts.push(clock.monotonicMs() - beginMs);
    await sleepUntil(clock.monotonicMs() + runMs, clock, ending.signal).catch(() => undefined);
  });
  await clock.advance(4_000);
  t.same(starts, [0, 250, 750, 1_750, 3_750]);
  runMs = 20_000;
  await clock.advance(4_000);
  runMs = 0;
  await clock.advance(21_000);
  t.same(starts.slice(5, 7), [7_750, 28_000], 'the shortest pause again');
  ending.abort();
  await following;
  const count = starts.length;
  await clock.advance(100_000);
  t.equal(starts.length, count);
  t.equal(clock.waiting, 0);
});
