/** Text in columns, with words aligned left and numbers aligned right. */

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  /** True if the column contains words; the first column always does. */
  readonly words?: boolean;
}

/** Lines with equal column widths: the titles, a rule, and the rows. */
export function formatTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ text }) => text(row)))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  const pad = (text: string, at: number) =>
    at === 0 || columns[at]?.words ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0);
  const lines = cells.map((line) => line.map(pad).join('  ').trimEnd());
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return lines.join('\n');
}

/** Formats a figure with 3 significant digits below 100 and as a whole number above; a dash if there is none. */
export function formatFigure(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '-';
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 10 ? 1 : 2);
}
