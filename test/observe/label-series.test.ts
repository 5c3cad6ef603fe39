import t from 'tap';
import { LabelSeries } from '../../server/observe/label-series.ts';

t.test('each combination of labels has a value of its own, made once', async (t) => {
  const series = new LabelSeries(() => ({ n: 0 }));
  series.at('ios', 'tap', 'completed').n += 1;
  series.at('ios', 'tap', 'completed').n += 1;
  series.at('ios', 'tap', 'failed').n += 1;
  series.at('ios', 'swipe').n += 5;
  series.at('/x', 200).n += 7;
  t.strictSame(
    [...series].map(([a, b, c, { n }]) => [a, b, c, n]),
    [
      ['ios', 'tap', 'completed', 2],
      ['ios', 'tap', 'failed', 1],
      ['ios', 'swipe', '', 5],
      ['/x', 200, '', 7],
    ],
  );
});
