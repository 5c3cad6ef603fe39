import fc from 'fast-check';
import t from 'tap';
import { LatencySamples, median, percentile } from '../../../bench/report/percentiles.ts';

t.test('a percentile is the least sample that is not less than its share of all samples', async (t) => {
  const sorted = Float64Array.from({ length: 1_000 }, (_, index) => index + 1);
  t.equal(percentile(sorted, 0.5), 500);
  t.equal(percentile(sorted, 0.99), 990);
  t.equal(percentile(sorted, 0.999), 999);
  t.equal(percentile(sorted, 1), 1_000);
  t.equal(percentile(sorted, 0), 1);
});

t.test('one sample is every percentile, and none is no number', async (t) => {
  t.equal(percentile(Float64Array.of(7), 0.001), 7);
  t.equal(percentile(Float64Array.of(7), 0.999), 7);
  t.ok(Number.isNaN(percentile(new Float64Array(), 0.5)));
});

t.test('a percentile is a sample, and as many samples as its share are not above it', async () => {
  const samples = fc.array(fc.double({ noNaN: true, min: 0 }), { minLength: 1 });
  fc.assert(
    fc.property(samples, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
      const sorted = Float64Array.from(values).sort();
      const found = percentile(sorted, share);
      return sorted.includes(found) && sorted.filter((value) => value <= found).length >= share * sorted.length;
    }),
  );
});

t.test('samples may come in any order', async (t) => {
  const samples = new LatencySamples(10);
  for (const latencyUs of [30, 10, 20]) samples.add(latencyUs);
  t.match(samples.percentiles(), { p50Us: 20, p99Us: 30, p999Us: 30, maxUs: 30 });
});

t.test('samples past the capacity are left out instead of growing the memory', async (t) => {
  const samples = new LatencySamples(2);
  for (const latencyUs of [1, 2, 1_000]) samples.add(latencyUs);
  t.equal(samples.count, 2);
  t.equal(samples.percentiles().maxUs, 2);
});

t.test('a median is the middle value, or the mean of the two middle ones', async (t) => {
  t.equal(median([9, 1, 5]), 5);
  t.equal(median([9, 1, 5, 7]), 6);
  t.ok(Number.isNaN(median([])));
});
