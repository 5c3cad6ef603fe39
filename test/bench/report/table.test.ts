import t from 'tap';
import { formatFigure, formatTable } from '../../../bench/report/table.ts';

const columns = [
  { title: 'name', text: ({ name }: { name: string; us: number }) => name },
  { title: 'µs', text: ({ us }: { name: string; us: number }) => formatFigure(us) },
];

t.test('names stand to the left, figures to the right, and a rule below the titles', async (t) => {
  const rows = [
    { name: 'a', us: 1 },
    { name: 'longer', us: 12_345 },
  ];
  t.equal(
    formatTable(columns, rows),
    ['name        µs', '------  ------', 'a         1.00', 'longer  12,345'].join('\n'),
  );
});

t.test('a table without rows is its titles', async (t) => {
  t.equal(formatTable(columns, []), 'name  µs\n----  --');
});

t.test('a figure has three significant digits or is whole', async (t) => {
  t.same([1.234, 12.34, 123.4, 1_234_567].map(formatFigure), ['1.23', '12.3', '123', '1,234,567']);
});

t.test('a figure that was not measured is a dash', async (t) => {
  t.same([undefined, Number.NaN, Number.POSITIVE_INFINITY].map(formatFigure), ['-', '-', '-']);
});
