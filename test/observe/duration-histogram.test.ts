import { Histogram, Registry } from 'prom-client';
import t from 'tap';
import { DurationHistogram } from '../../server/observe/duration-histogram.ts';

const make = () => new DurationHistogram('d', 'Duration', ['platform', 'action']);

t.test('buckets are cumulative, their bounds inclusive, the last without end', async (t) => {
  const histogram = make();
  for (const ms of [0, 1, 1.1, 60_000, 60_001]) histogram.record(ms, 'ios', 'tap');
  const text = histogram.text();
  const bucket = (le: string) => new RegExp(`^d_bucket\\{le="${le}",.*\\} (\\d+)$`, 'm').exec(text)?.[1];
  t.strictSame(['0.001', '0.0025', '15', '60', '\\+Inf'].map(bucket), ['2', '3', '3', '4', '5']);
  t.match(text, 'd_count{platform="ios",action="tap"} 5');
  t.equal(Number(/^d_sum\{.*\} (.*)$/m.exec(text)?.[1]).toFixed(4), '120.0031');
});

t.test('platforms and actions are counted apart', async (t) => {
  const histogram = make();
  histogram.record(1, 'ios', 'tap');
  histogram.record(1, 'android', 'tap');
  histogram.record(1, 'android', 'swipe');
  t.equal(histogram.text().match(/^d_count\{/gm)?.length, 3);
});

t.test('the text is what the library writes of the same durations', async (t) => {
  const registry = new Registry();
  const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];
  const labelNames = ['platform', 'action'];
  const library = new Histogram({ name: 'd', help: 'Duration', labelNames, buckets, registers: [registry] });
  const histogram = make();
  t.equal(histogram.text(), await registry.metrics());
  for (const [action, ms] of [
    ['tap', 0.3],
    ['swipe', 2_500],
    ['tap', 7],
    ['tap', 60_001],
  ] as const) {
    library.observe({ platform: 'ios', action }, ms / 1_000);
    histogram.record(ms, 'ios', action);
  }
  t.equal(histogram.text(), await registry.metrics());
});
