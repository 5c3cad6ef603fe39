import t from 'tap';
import { AttemptLimits } from '../../server/account/attempt-limits.ts';
import { ManualClock } from './manual-clock.ts';

const RULE = { free: 3, firstDelayMs: 2_000, delayMsMax: 60_000, forgottenAfterMs: 600_000 };

function limits() {
  const clock = new ManualClock();
  return { clock, limits: new AttemptLimits(RULE, clock) };
}

t.test('some failures are free; then each one doubles the wait, up to a bound', async (t) => {
  const { limits: all, clock } = limits();
  const waits: number[] = [];
  for (let failure = 0; failure < 10; failure++) {
    all.count('ada');
    waits.push(all.waitSeconds('ada'));
    clock.advance(60_000);
  }
  t.strictSame(waits, [0, 0, 0, 2, 4, 8, 16, 32, 60, 60]);
});

t.test('the wait ends, and another holder never had it', async (t) => {
  const { limits: all, clock } = limits();
  for (let failure = 0; failure < 4; failure++) all.count('ada');
  t.equal(all.waitSeconds('bob'), 0);
  clock.advance(1_500);
  t.equal(all.waitSeconds('ada'), 1);
  clock.advance(500);
  t.equal(all.waitSeconds('ada'), 0);
});

t.test('success clears what stood against a holder; taking back one attempt leaves those before it', async (t) => {
  const { limits: all } = limits();
  for (let failure = 0; failure < 4; failure++) all.count('ada');
  all.cancelTimer('ada');
  t.equal(all.waitSeconds('ada'), 0);
  all.count('ada');
  t.equal(all.waitSeconds('ada'), 2, 'three were there still');
  all.clear('ada');
  for (let failure = 0; failure < 3; failure++) all.count('ada');
  t.equal(all.waitSeconds('ada'), 0);
});

t.test('failures are forgotten after a time without any', async (t) => {
  const { limits: all, clock } = limits();
  for (let failure = 0; failure < 8; failure++) all.count('ada');
  clock.advance(RULE.forgottenAfterMs);
  all.count('ada');
  t.equal(all.waitSeconds('ada'), 0);
});

t.test('taking back what was never counted changes nothing', async (t) => {
  const { limits: all } = limits();
  all.cancelTimer('ada');
  all.clear('ada');
  t.equal(all.waitSeconds('ada'), 0);
});
