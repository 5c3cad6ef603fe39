import { Registry } from 'prom-client';
import t from 'tap';
import { DurationHistogram } from '../../server/observe/duration-histogram.ts';

const make = () => {
  const registry = new Registry();
  return { registry, histogram: new DurationHistogram({ name: 'd', help: 'Duration', registers: [registry] }) };
};

t.test('buckets are cumulative, their bounds inclusive, the last without end', async (t) => {
  const { registry, histogram } = make();
  for (const ms of [0, 1, 1.1, 60_000, 60_001]) histogram.record('ios', 'tap', ms);
  const text = await registry.metrics();
  const bucket = (le: string) => new RegExp(`^d_bucket\\{le="${le}",.*\\} (\\d+)$`, 'm').exec(text)?.[1];
  t.strictSame(['0.001', '0.0025', '15', '60', '\\+Inf'].map(bucket), ['2', '3', '3', '4', '5']);
  t.match(text, 'd_count{platform="ios",action="tap"} 5');
  t.equal(Number(/^d_sum\{.*\} (.*)$/m.exec(text)?.[1]).toFixed(4), '120.0031');
});

t.test('platforms and actions are counted apart', async (t) => {
  const { registry, histogram } = make();
  histogram.record('ios', 'tap', 1);
  histogram.record('android', 'tap', 1);
  histogram.record('android', 'swipe', 1);
  t.equal((await registry.metrics()).match(/^d_count\{/gm)?.length, 3);
});

t.test('get() of prom-client gives the same values as the text', async (t) => {
  const { histogram } = make();
  histogram.record('ios', 'tap', 1);
  const { name, type, values } = await histogram.get();
  t.match({ name, type: String(type) }, { name: 'd', type: 'histogram' });
  t.match(values.at(-1), { metricName: 'd_count', labels: { platform: 'ios', action: 'tap' }, value: 1 });
});
