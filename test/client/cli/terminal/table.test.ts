import t from 'tap';
import { type Line, red, spansOf, textOf } from '../../../../client/cli/terminal/line.ts';
import { type Column, table } from '../../../../client/cli/terminal/table.ts';
import { widthOf } from '../../../../client/cli/terminal/width.ts';

type Item = { readonly id: string; readonly name: string; readonly more?: string };

const COLUMNS: readonly Column<Item>[] = [
  { header: 'ID', cell: ({ id }) => id },
  { header: 'NAME', cell: ({ name }) => name, min: 6 },
  { header: 'MORE', cell: ({ more }) => red(more ?? ''), min: 4 },
];

const textOfLine = (line: Line): string => spansOf(line).map(textOf).join('');
const shown = (items: readonly Item[], columns: number): string[] =>
  table(COLUMNS, items, { columns, nowMs: 0 }).map(textOfLine);

t.test('a table is as wide as its cells, and no line ends with spaces', (t) => {
  t.same(
    shown(
      [
        { id: 'a1', name: 'one', more: 'x' },
        { id: 'b22', name: 'three', more: '' },
      ],
      80,
    ),
    ['ID   NAME   MORE', 'a1   one    x', 'b22  three'],
  );
  t.end();
});

t.test('cells are cut before columns are left out, and never an id', (t) => {
  const items = [{ id: 'identifier', name: 'a long name', more: 'a very long text' }];
  t.same(shown(items, 41), ['ID          NAME         MORE', 'identifier  a long name  a very long text']);
  t.same(shown(items, 36), ['ID          NAME         MORE', 'identifier  a long name  a very lon…']);
  t.same(shown(items, 26), ['ID          NAME    MORE', 'identifier  a lon…  a ver…']);
  t.same(shown(items, 24), ['ID          NAME    MORE', 'identifier  a lon…  a v…']);
  t.same(shown(items, 23), ['ID          NAME', 'identifier  a long name']);
  t.same(shown(items, 17), ['ID', 'identifier']);
  t.same(shown(items, 4), ['ID', 'identifier']);
  t.end();
});

t.test('a column without a text is left out', (t) => {
  t.same(shown([{ id: 'a', name: 'b' }], 80), ['ID  NAME', 'a   b']);
  t.end();
});

t.test('cells are measured as they are seen', (t) => {
  const lines = shown(
    [
      { id: '日本', name: '🙂 ok', more: 'x' },
      { id: 'abcd', name: '\u001b[2J', more: 'y' },
    ],
    80,
  );
  t.same(lines, ['ID    NAME       MORE', '日本  🙂 ok      x', 'abcd  \\u{1b}[2J  y']);
  for (const line of lines.slice(1)) t.equal(widthOf(line.slice(0, -1)), 17);
  t.end();
});
