import t from 'tap';
import { formatSideBySide, tablesOf } from '../../../bench/report/side-by-side.ts';

const tap = (p50Us: number) => ({
  layouts: [
    {
      layout: 'two-cores',
      rows: [
        { name: 'tap', load: 'one', p50Us, p99Us: null },
        { name: 'echo', load: 'one', p50Us: 10 },
      ],
      ratios: [{ of: 'tap', to: 'echo', ratio: 1 }],
    },
  ],
  missing: ['Appium'],
});

t.test('the tables of any scenario are found, with their numbers alone', async (t) => {
  t.same(
    tablesOf(tap(20)),
    new Map([
      [
        'two-cores, rows',
        new Map([
          ['tap', new Map([['p50Us', 20]])],
          ['echo', new Map([['p50Us', 10]])],
        ]),
      ],
    ]),
  );
  t.same(
    [...tablesOf({ layout: 'one-core', sockets: [{ name: 'a', bytes: 1 }], steps: [{ name: 'b' }] }).keys()],
    ['one-core, sockets', 'one-core, steps'],
  );
});

t.test('a figure is the median over the pairs of its ratio, so that a machine’s moods cancel out', async (t) => {
  const pairs = [
    { here: tap(20), there: tap(40) },
    { here: tap(100), there: tap(200) },
    { here: tap(90), there: tap(10) },
  ];
  const text = formatSideBySide(pairs);
  t.match(text, /^two-cores, rows {2}p50Us\n/);
  t.match(text, /\ntap +0\.50\n/);
  t.match(text, /\necho +1\.00$/);
});

t.test('a figure that one side lacks is a dash', async (t) => {
  const text = formatSideBySide([{ here: tap(20), there: { rows: [{ name: 'tap', p50Us: 1 }] } }]);
  t.match(text, /\ntap +-\n/);
});
