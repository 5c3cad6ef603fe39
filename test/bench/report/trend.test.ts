import { closeSync, openSync, readdirSync } from 'node:fs';
import t from 'tap';
import { trendOf } from '../../../bench/report/trend.ts';

/** A deterministic noise of -1 to 1 (a linear congruential generator), so that a test that passes always does. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const series = (count: number, of: (at: number) => number) => Array.from({ length: count }, (_, at) => of(at));

t.test('a planted leak is seen through noise that is larger than each of its steps', async (t) => {
  for (let seed = 1; seed <= 50; seed++) {
    const next = noise(seed);
    const leaking = series(20, (at) => 100 + at * 1.5 + next() * 6);
    t.equal(trendOf(leaking, 0.05).rising, true, `seed ${seed}`);
  }
});

t.test('the same noise without a leak is flat, and so is a stall in the middle of it', async (t) => {
  for (let seed = 1; seed <= 200; seed++) {
    const next = noise(seed);
    const flat = series(20, (at) => 100 + next() * 6 + (at === 15 ? 900 : 0));
    t.equal(trendOf(flat, 0.05).rising, false, `seed ${seed}`);
  }
});

t.test('a series that falls, is constant, or rises by less than the tolerance does not count as rising', async (t) => {
  t.equal(
    trendOf(
      series(20, (at) => 100 - at),
      0.05,
    ).rising,
    false,
  );
  t.match(
    trendOf(
      series(20, () => 7),
      0,
    ),
    { perStep: 0, growth: 0, deviations: 0, rising: false },
  );
  t.equal(
    trendOf(
      series(20, (at) => 1_000 + at * 0.1),
      0.05,
    ).rising,
    false,
  );
  t.equal(
    trendOf(
      series(20, (at) => 1_000 + at * 0.1),
      0,
    ).rising,
    true,
  );
});

t.test('the slope is in units a sample, the growth a share over the whole series', async (t) => {
  const { perStep, growth } = trendOf(
    series(11, (at) => 95 + at),
    0,
  );
  t.equal(perStep, 1);
  t.equal(growth, 0.1);
});

t.test('files that are left open are a trend', async (t) => {
  const opened: number[] = [];
  t.teardown(() => {
    for (const file of opened) closeSync(file);
  });
  if (process.platform !== 'linux') return t.comment('the system does not tell what is open');
  const samples = series(12, (at) => {
    if (at % 2 === 0) opened.push(openSync('/dev/null', 'r'));
    return readdirSync('/proc/self/fd').length;
  });
  t.equal(trendOf(samples, 0).rising, true);
});

t.test('too few samples show nothing for certain', async (t) => {
  t.equal(trendOf([], 0).rising, false);
  t.equal(trendOf([1], 0).rising, false);
  t.equal(trendOf([1, 2, 3, 4], 0).rising, false);
});
