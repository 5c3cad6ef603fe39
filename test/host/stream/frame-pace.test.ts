import t from 'tap';
import { FramePace } from '../../../server/host/stream/frame-pace.ts';

const take = (pace: FramePace, wantedMs: number, startMs: number, costMs: number) =>
  pace.took(startMs, pace.began(wantedMs, startMs), costMs);

/** A screen that never rests, for `ms`: when pictures began. */
function run(pace: FramePace, fromMs: number, ms: number, costMs: number, lateMs = 0): number[] {
  const begun: number[] = [];
  let nowMs = fromMs;
  while (nowMs < fromMs + ms) {
    const wantedMs = nowMs;
    nowMs = Math.max(nowMs, pace.nextMs) + lateMs;
    begun.push(nowMs);
    take(pace, wantedMs, nowMs, costMs);
    nowMs += costMs;
  }
  return begun;
}

t.test('the first picture is due at once, the next after its time', (t) => {
  const pace = new FramePace(50);
  t.ok(pace.nextMs < 0);
  take(pace, 100, 100, 1);
  t.equal(pace.nextMs, 120 - 4, 'less the time that a late timer may make up for');
  t.end();
});

t.test('late timers do not lower the rate', (t) => {
  const begun = run(new FramePace(60), 0, 2_000, 2, 1);
  t.ok(Math.abs(begun.length - 120) <= 2, `${begun.length} pictures`);
  t.end();
});

t.test(
  'a host that needs more time than there is halves the rate down to ten, and doubles it when it has time',
  (t) => {
    const pace = new FramePace(60);
    run(pace, 0, 900, 20);
    t.equal(pace.fps, 60, 'not at once');
    run(pace, 900, 2_000, 20);
    t.equal(pace.fps, 30);
    run(pace, 2_900, 20_000, 400);
    t.equal(pace.fps, 10);
    run(pace, 30_000, 30_000, 1);
    t.equal(pace.fps, 60);
    t.end();
  },
);

t.test('a rate below ten is as low as it was asked for', (t) => {
  const pace = new FramePace(5);
  run(pace, 0, 20_000, 300);
  t.equal(pace.fps, 5);
  t.end();
});

t.test('single slow pictures with long pauses between them change nothing', (t) => {
  const pace = new FramePace(60);
  for (let turn = 0; turn < 50; turn++) take(pace, turn * 1_000, turn * 1_000, 100);
  t.equal(pace.fps, 60);
  t.end();
});

t.test('a stream with a share of the time rests as long as its pictures cost, a second at most', (t) => {
  const pace = new FramePace(60);
  pace.limitTo(0.1);
  t.ok(Math.abs(run(pace, 0, 2_000, 10).length - 20) <= 1, 'a tenth of the time');
  pace.limitTo(0.001);
  take(pace, 5_000, 5_000, 50);
  t.equal(pace.nextMs, 6_000, 'a change is shown after a second at the latest');
  pace.limitTo(1);
  t.ok(run(pace, 10_000, 1_000, 2).length > 58, 'without a bound it has its rate again');
  t.end();
});

t.test('a stream with a bound for its bytes waits until the link has carried a picture, a second at most', (t) => {
  const pace = new FramePace(60);
  pace.boundRate(100);
  take(pace, 0, 0, 1);
  pace.made(0, 30_000);
  t.equal(pace.nextMs, 300, 'a large picture');
  take(pace, 300, 300, 1);
  pace.made(300, 100);
  t.ok(pace.nextMs < 320, 'a small one leaves the rate as it is');
  take(pace, 1_000, 1_000, 1);
  pace.made(1_000, 1_000_000);
  t.equal(pace.nextMs, 2_000, 'a change is shown after a second at the latest');
  pace.boundRate(undefined);
  t.ok(pace.nextMs < 1_020, 'without a bound it waits for the link no longer');
  t.ok(run(pace, 3_000, 1_000, 2).length > 58, 'without a bound it has its rate again');
  t.end();
});
