import t from 'tap';
import { LIMITS } from '../../protocol/terms.ts';
import { type RateLimiter, RateLimiters } from '../../server/account/rate-limiters.ts';
import { ManualClock } from './manual-clock.ts';

/** How many of `tries` are let through. */
function taken(rateLimiter: RateLimiter, tries: number, cost?: number): number {
  let count = 0;
  for (let index = 0; index < tries; index++) if (rateLimiter.take(cost)) count++;
  return count;
}

t.test('each holder has its own allowance, and the same holder one and the same', async (t) => {
  const rateLimiters = new RateLimiters(10, new ManualClock());
  t.equal(taken(rateLimiters.of({ holder: 'a' }), 15), 15);
  t.equal(taken(rateLimiters.of({ holder: 'a' }), 15), 5);
  t.equal(taken(rateLimiters.of({ holder: 'b' }), 50), 20);
});

t.test(
  'a hundred keys of one account have together what a few have, and take nothing from another account',
  async (t) => {
    const clock = new ManualClock();
    const rateLimiters = new RateLimiters(10, clock);
    const count = (account: string) => {
      let sum = 0;
      for (let key = 0; key < 100; key++) sum += taken(rateLimiters.of({ holder: `${account} ${key}`, account }), 20);
      return sum;
    };
    t.equal(count('one'), 20 * LIMITS.allowancesPerAccount);
    t.equal(count('two'), 20 * LIMITS.allowancesPerAccount);
    clock.advance(1_000);
    t.equal(count('one'), 10 * LIMITS.allowancesPerAccount);
  },
);

t.test('guests of an account take nothing from its keys', async (t) => {
  const rateLimiters = new RateLimiters(10, new ManualClock());
  for (let link = 0; link < 100; link++)
    taken(rateLimiters.of({ holder: `link ${link}`, account: 'one', guest: true }), 99);
  t.equal(taken(rateLimiters.of({ holder: 'key', account: 'one' }), 99), 20);
});

t.test("a call that exceeds the account's limit is not charged to the key's limit", async (t) => {
  const clock = new ManualClock();
  const rateLimiters = new RateLimiters(10, clock);
  for (let key = 0; key < 10; key++) taken(rateLimiters.of({ holder: `${key}`, account: 'one' }), 99);
  const late = rateLimiters.of({ holder: 'late', account: 'one' });
  t.equal(taken(late, 99), 0);
  t.ok(late.retryAfterSeconds >= 1);
  clock.advance(1_000);
  t.equal(taken(late, 99), 20, 'its own burst was untouched');
});

t.test('many bytes cost the share of a second that they are, however many calls are allowed', async (t) => {
  for (const perSecond of [10, 5_000, 20_000]) {
    const rateLimiter = new RateLimiters(perSecond, new ManualClock()).of({ holder: 'a' });
    const share = 8;
    let count = 0;
    while (rateLimiter.takeBytes(LIMITS.bytesPerSecond / share)) count++;
    t.equal(count, share * 2, 'a burst is two seconds');
    t.notOk(
      new RateLimiters(1, new ManualClock()).of({ holder: 'b' }).take(3),
      'more than a burst is never let through',
    );
  }
  const light = new RateLimiters(10, new ManualClock()).of({ holder: 'a' });
  let count = 0;
  while (light.takeBytes(60)) count++;
  t.equal(count, 20, 'a light message costs one');
});

t.test('work is paid for afterwards, and nothing is let through until it is paid off', async (t) => {
  for (const perSecond of [10, 20_000]) {
    const clock = new ManualClock();
    const rateLimiter = new RateLimiters(perSecond, clock).of({ holder: 'a', account: 'one' });
    t.ok(rateLimiter.take());
    rateLimiter.chargeWork(LIMITS.workMsPerSecond * 3);
    t.notOk(rateLimiter.take());
    const { retryAfterSeconds } = rateLimiter;
    clock.advance((retryAfterSeconds - 1) * 1_000);
    t.notOk(rateLimiter.take(), 'not before the time that was told');
    clock.advance(1_000);
    t.ok(rateLimiter.take());
  }
});

t.test('a debt is forgiven after a while, however large it was', async (t) => {
  const clock = new ManualClock();
  const rateLimiter = new RateLimiters(10, clock).of({ holder: 'a' });
  rateLimiter.chargeWork(LIMITS.workMsPerSecond * 1_000);
  clock.advance(2_200);
  t.ok(rateLimiter.take());
});

t.test('holders that were away longest are forgotten first', async (t) => {
  const rateLimiters = new RateLimiters(1, new ManualClock());
  const isKnown = (holder: string) => taken(rateLimiters.of({ holder }), 9) === 0;
  taken(rateLimiters.of({ holder: 'busy' }), 9);
  taken(rateLimiters.of({ holder: 'once' }), 9);
  for (let index = 0; index < 9_999; index++) {
    rateLimiters.of({ holder: `stranger ${index}` });
    rateLimiters.of({ holder: 'busy' });
  }
  t.ok(isKnown('busy'), 'who keeps asking is not forgotten behind a crowd of strangers');
  t.notOk(isKnown('once'));
});
