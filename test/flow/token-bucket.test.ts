import t from 'tap';
import { TokenBucket } from '../../server/flow/token-bucket.ts';
import { FakeClock } from '../support/fake-clock.ts';

/** How many of `tries` get a token. */
function taken(bucket: TokenBucket, tries: number): number {
  let count = 0;
  for (let index = 0; index < tries; index++) if (bucket.take()) count++;
  return count;
}

t.test('a burst is twice the rate, and not more', async (t) => {
  t.equal(taken(new TokenBucket(50, new FakeClock()), 500), 100);
});

t.test('a long rest saves up no more than one burst', async (t) => {
  const clock = new FakeClock();
  const bucket = new TokenBucket(50, clock);
  await clock.advance(3_600_000);
  t.equal(taken(bucket, 500), 100);
  await clock.advance(3_600_000);
  t.equal(taken(bucket, 500), 100);
});

t.test('over a long time as many get through as the rate says', async (t) => {
  const clock = new FakeClock();
  const bucket = new TokenBucket(50, clock);
  let count = 0;
  for (let second = 0; second < 100; second++) {
    count += taken(bucket, 80);
    await clock.advance(1_000);
  }
  t.equal(count, 80 + 70 + 98 * 50, 'the first two seconds use up the burst');
});

t.test('a wait that was told is long enough, and a whole second at least', async (t) => {
  for (const rate of [0.5, 1, 3, 5_000]) {
    const clock = new FakeClock();
    const bucket = new TokenBucket(rate, clock);
    taken(bucket, rate * 2 + 1);
    const seconds = bucket.retryAfterSeconds;
    t.ok(Number.isInteger(seconds) && seconds >= 1);
    t.notOk(bucket.take());
    await clock.advance(seconds * 1_000);
    t.ok(bucket.take());
  }
});
