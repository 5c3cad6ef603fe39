import t from 'tap';
import { compareRows, type Ratio } from '../../../bench/report/ratios.ts';

const rows = [
  { name: 'service', p50Us: 50, p99Us: 400 },
  { name: 'echo', p50Us: 20, p99Us: 80 },
];

const missed = <Figure extends string>(ratios: readonly Ratio<Figure>[]) => ratios.filter(({ met }) => met === false);

t.test('a ratio on its target meets it, a greater one misses it', async (t) => {
  const ratios = compareRows(rows, [
    { of: 'service', to: 'echo', figure: 'p50Us', target: 2.5 },
    { of: 'service', to: 'echo', figure: 'p99Us', target: 4 },
  ]);
  t.match(ratios, [
    { ratio: 2.5, met: true },
    { ratio: 5, met: false },
  ]);
  t.match(missed(ratios), [{ figure: 'p99Us' }]);
});

t.test('a ratio without a target is information', async (t) => {
  const ratios = compareRows(rows, [{ of: 'service', to: 'echo', figure: 'p50Us' }]);
  t.equal(ratios[0]?.met, undefined);
  t.same(missed(ratios), []);
});

t.test('a ratio that could not be measured misses its target', async (t) => {
  const ratios = compareRows(rows, [{ of: 'absent', to: 'echo', figure: 'p50Us', target: 2.5 }]);
  t.ok(Number.isNaN(ratios[0]?.ratio));
  t.equal(missed(ratios).length, 1);
});
