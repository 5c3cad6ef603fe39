/** Text in columns: words aligned to the left, numbers to the right. */

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  /** Words rather than figures; the first column always is. */
  readonly words?: boolean;
}

/** Lines of equal column widths, the titles first, a rule below them. */
export function formatTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ text }) => text(row)))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  const pad = (text: string, at: number) =>
    at === 0 || columns[at]?.words ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0);
  const lines = cells.map((line) => line.map(pad).join('  ').trimEnd());
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return lines.join('\n');
}

/** A figure with as many decimals as it deserves: 3 significant digits below 100, whole numbers above; a dash for none. */
export function formatFigure(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '-';
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 10 ? 1 : 2);
}
