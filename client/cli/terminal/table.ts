import { visible } from '../visible.ts';
import { bold, inStyleOf, type Line, type Span, textOf } from './line.ts';
import { clipped, padded, widthOf } from './width.ts';

export interface Column<Item> {
  readonly header: string;
  readonly cell: (item: Item, nowMs: number) => Span;
  /** Where there is not enough room, it is cut down to this many columns. Absent: it is never cut, as an id that is copied. */
  readonly min?: number;
}

/** A column with its cells, the header first. */
interface Measured {
  readonly cells: readonly Span[];
  readonly width: number;
  readonly least: number;
}

const GAP = 2;

/**
 * Items as a table with a header, no wider than `columns`: first the cells that may be cut are cut, then whole columns are left
 * out from the right. The first column always stays; one without any text is left out.
 */
export function table<Item>(
  all: readonly Column<Item>[],
  items: readonly Item[],
  { columns, nowMs }: { readonly columns: number; readonly nowMs: number },
): Line[] {
  const shown = all.flatMap((column) => measured(column, items, nowMs) ?? []);
  while (shown.length > 1 && widthOfAll(shown.map(({ least }) => least)) > columns) shown.pop();
  const widths = fitted(shown, columns);
  return ['', ...items].map((_, row) =>
    rowOf(
      shown.map(({ cells }) => cells[row] ?? ''),
      widths,
    ),
  );
}

function measured<Item>(
  { header, cell, min }: Column<Item>,
  items: readonly Item[],
  nowMs: number,
): Measured | undefined {
  const cells = items.map((item) => safe(cell(item, nowMs)));
  if (cells.every((span) => textOf(span) === '')) return undefined;
  const width = Math.max(widthOf(header), ...cells.map((span) => widthOf(textOf(span))));
  const least = min === undefined ? width : Math.min(width, Math.max(min, widthOf(header)));
  return { cells: [bold(header), ...cells], width, least };
}

/** Measured as it is written. A service may send what is no text. */
const safe = (span: Span): Span => inStyleOf(span, visible(String(textOf(span) ?? '')));

/** The widest columns are cut first. */
function fitted(shown: readonly Measured[], columns: number): number[] {
  const widths = shown.map(({ width }) => width);
  for (let excess = widthOfAll(widths) - columns; excess > 0; excess--) {
    const spare = widths.map((width, index) => (width > (shown[index]?.least ?? 0) ? width : 0));
    const widest = Math.max(...spare);
    // Only a first column that is never cut may be too wide.
    if (widest === 0) break;
    widths[spare.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function rowOf(cells: readonly Span[], widths: readonly number[]): Line {
  const last = cells.findLastIndex((span) => textOf(span) !== '');
  return cells.slice(0, last + 1).map((span, index) => {
    const text = clipped(textOf(span), widths[index] ?? 0);
    return inStyleOf(span, index === last ? text : padded(text, (widths[index] ?? 0) + GAP));
  });
}

const widthOfAll = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1));
