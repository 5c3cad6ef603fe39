import t from 'tap';
import { RetentionClock } from '../../server/recording/retention-clock.ts';
import { FakeClock } from '../support/fake-clock.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

t.test('a clock that goes its way is trusted, also when it is slewed a little', async (t) => {
  const clock = new FakeClock();
  const trusted = new RetentionClock(clock, undefined);
  for (let look = 0; look < 100; look++) {
    await clock.advance(60_000);
    clock.jumpWall(30_000);
    t.equal(trusted.nowMs(), clock.wallMs());
  }
});

for (const [name, jumpMs, doubtMs] of [
  ['ten years ahead', 3_650 * DAY, DAY],
  ['a day and a half ahead', 1.5 * DAY, DAY],
  ['two hours ahead', 2 * HOUR, 2 * HOUR],
  ['two hours back', -2 * HOUR, 2 * HOUR],
  ['two minutes ahead', 120_000, 120_000],
] as const) {
  t.test(`set ${name}, it is not trusted for as long, a day at most`, async (t) => {
    const clock = new FakeClock();
    const trusted = new RetentionClock(clock, undefined);
    t.ok(trusted.nowMs());
    clock.jumpWall(jumpMs);
    t.equal(trusted.nowMs(), undefined);
    await clock.advance(doubtMs - 1);
    t.equal(trusted.nowMs(), undefined);
    await clock.advance(1);
    t.equal(trusted.nowMs(), clock.wallMs());
    await clock.advance(HOUR);
    t.equal(trusted.nowMs(), clock.wallMs());
  });
}

t.test('set back to what it was, it is trusted at once; set again, it is doubted anew', async (t) => {
  const clock = new FakeClock();
  const trusted = new RetentionClock(clock, undefined);
  clock.jumpWall(10 * DAY);
  t.equal(trusted.nowMs(), undefined);
  clock.jumpWall(-10 * DAY);
  t.equal(trusted.nowMs(), clock.wallMs());
  clock.jumpWall(5 * HOUR);
  t.equal(trusted.nowMs(), undefined);
  await clock.advance(4 * HOUR);
  clock.jumpWall(5 * HOUR);
  t.equal(trusted.nowMs(), undefined);
  await clock.advance(9 * HOUR);
  t.equal(trusted.nowMs(), undefined);
  await clock.advance(HOUR);
  t.equal(trusted.nowMs(), clock.wallMs());
});

t.test(
  'a start far from what was seen before is doubted for a day at most, a start after a pause is not',
  async (t) => {
    const clock = new FakeClock();
    const seen = (agoMs: number) => new RetentionClock(clock, clock.wallMs() - agoMs);
    for (const agoMs of [0, HOUR, 8 * DAY, 30 * DAY]) t.ok(seen(agoMs).nowMs(), `${agoMs} ms ago`);
    const late = seen(31 * DAY);
    const early = seen(-3 * HOUR);
    t.equal(late.nowMs(), undefined);
    t.equal(early.nowMs(), undefined);
    await clock.advance(3 * HOUR);
    t.ok(early.nowMs());
    t.equal(late.nowMs(), undefined);
    await clock.advance(21 * HOUR);
    t.ok(late.nowMs());
  },
);

t.test(
  'a start with a clock that is far off, corrected by an hour soon after, is doubted for a whole day',
  async (t) => {
    const clock = new FakeClock();
    const trusted = new RetentionClock(clock, clock.wallMs() - 400 * DAY);
    t.equal(trusted.nowMs(), undefined);
    await clock.advance(HOUR);
    clock.jumpWall(-HOUR);
    t.equal(trusted.nowMs(), undefined);
    await clock.advance(DAY - 1);
    t.equal(trusted.nowMs(), undefined);
    await clock.advance(1);
    t.equal(trusted.nowMs(), clock.wallMs());
  },
);
