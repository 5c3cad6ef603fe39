import fc from 'fast-check';
import t from 'tap';
import type { Clock } from '../../server/flow/clock.ts';
import { elapsedMs, isoTimestamp, TimestampCache, timestampNow } from '../../server/flow/timestamp.ts';
import { FakeClock } from '../support/fake-clock.ts';

t.test('a timestamp is that of Date, for every millisecond and in every order', async (t) => {
  const second = fc.integer({ min: -62_135_596_800, max: 253_402_300_798 });
  const millisecond = fc.oneof(fc.constantFrom(0, 1, 9, 10, 99, 100, 998, 999), fc.integer({ min: 0, max: 999 }));
  fc.assert(
    fc.property(second, fc.array(fc.tuple(fc.integer({ min: -1, max: 1 }), millisecond)), (base, near) => {
      for (const [offset, ms] of near) {
        const wallMs = (base + offset) * 1_000 + ms;
        if (isoTimestamp(wallMs) !== new Date(wallMs).toISOString()) throw new Error(`${wallMs}`);
      }
    }),
    { numRuns: 2_000 },
  );
  for (const wallMs of [0, -1, 999, 1_000, 1_001]) t.equal(isoTimestamp(wallMs), new Date(wallMs).toISOString());
});

t.test('the time since a stamp is that of the monotonic clock, whatever is done to the wall clock', async (t) => {
  for (const jumpMs of [3_600_000, -3_600_000, 0.4]) {
    const clock = new FakeClock();
    const timestamp = timestampNow(clock);
    clock.jumpWall(jumpMs);
    await clock.advance(250);
    t.equal(elapsedMs(timestamp, clock), 250);
  }
});

t.test('a stamp has whole milliseconds of wall time and elapsed time is whole too', async (t) => {
  const clock = new FakeClock(1_000, 1_700_000_000_000);
  await clock.advance(0.75);
  const timestamp = timestampNow(clock);
  t.equal(timestamp.wallMs, 1_700_000_000_000);
  await clock.advance(0.9);
  t.equal(elapsedMs(timestamp, clock), 1);
  t.equal(elapsedMs({ ...timestamp, monotonicMs: clock.monotonicMs() + 5 }, clock), 0);
});

/** A clock on which the thread is suspended so many times between two readings. */
function suspended(times: number): Clock {
  let nowMs = 1_000;
  let left = times;
  return {
    monotonicMs: () => nowMs,
    wallMs: () => {
      const wallMs = nowMs;
      if (left-- > 0) nowMs += 7;
      return wallMs;
    },
    schedule: () => () => undefined,
  };
}

t.test('both clocks are read at one moment, also by a thread that is suspended', async (t) => {
  for (const times of [0, 1, 3]) {
    const { wallMs, monotonicMs } = timestampNow(suspended(times));
    t.equal(wallMs, monotonicMs, `suspended ${times} times`);
  }
  t.match(timestampNow(suspended(1_000)), { wallMs: Number, monotonicMs: Number }, 'it does not try for ever');
});

t.test('stamps within a tenth of a millisecond are one, later ones are new', (t) => {
  let monotonicMs = 5;
  let wallMs = 1_000.9;
  const timestamps = new TimestampCache({
    monotonicMs: () => monotonicMs,
    wallMs: () => wallMs,
    schedule: () => () => undefined,
  });
  const first = timestamps.now();
  t.strictSame(first, { wallMs: 1_000, monotonicMs: 5 });
  monotonicMs = 5.09;
  t.equal(timestamps.now(), first);
  monotonicMs = 5.11;
  t.strictSame(timestamps.now(), { wallMs: 1_000, monotonicMs: 5.11 });
  wallMs = 1_001;
  t.strictSame(timestamps.now(), { wallMs: 1_001, monotonicMs: 5.11 }, 'the wall clock has gone on, or was set');
  t.end();
});
