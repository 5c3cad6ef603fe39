import t from 'tap';
import { scheduleAtWallTime, WALL_CHECK_MS } from '../../server/flow/wall-time.ts';
import { FakeClock } from '../support/fake-clock.ts';

const DAY_MS = 86_400_000;

/** Something that ends a day from now by the wall clock. */
function open(inMs = DAY_MS) {
  const clock = new FakeClock();
  const atMs = clock.wallMs() + inMs;
  const lateMs: number[] = [];
  const cancelTimer = scheduleAtWallTime(atMs, clock, () => lateMs.push(clock.wallMs() - atMs));
  return { clock, lateMs, cancelTimer };
}

t.test('it runs once, when the wall clock has come there', async (t) => {
  const { clock, lateMs } = open();
  await clock.advance(DAY_MS - 1);
  t.same(lateMs, []);
  await clock.advance(DAY_MS);
  t.same(lateMs, [0]);
  t.equal(clock.waiting, 0);
});

t.test('a wall clock that is set forward, as after a sleep, is noticed within a bound', async (t) => {
  for (const leapMs of [DAY_MS, 30 * DAY_MS]) {
    const { clock, lateMs } = open();
    await clock.advance(3_600_000);
    clock.jumpWall(leapMs);
    await clock.advance(WALL_CHECK_MS);
    t.equal(lateMs.length, 1, `set forward by ${leapMs} ms`);
  }
});

t.test('a wall clock that is set back puts the end off, by as much', async (t) => {
  const { clock, lateMs } = open();
  await clock.advance(DAY_MS / 2);
  clock.jumpWall(-DAY_MS);
  await clock.advance(DAY_MS * 1.5 - 1);
  t.same(lateMs, [], 'not before its time');
  await clock.advance(1);
  t.same(lateMs, [0]);
});

t.test('a task whose time has passed runs at once, but never within the call', async (t) => {
  const { clock, lateMs } = open(-5);
  t.same(lateMs, []);
  await clock.advance(0);
  t.same(lateMs, [5]);
});

t.test('it can be taken back at any moment', async (t) => {
  for (const afterMs of [0, 10, DAY_MS - 1]) {
    const { clock, lateMs, cancelTimer } = open();
    await clock.advance(afterMs);
    cancelTimer();
    await clock.advance(2 * DAY_MS);
    t.same([lateMs, clock.waiting], [[], 0]);
  }
});
