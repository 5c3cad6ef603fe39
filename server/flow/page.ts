/** Where an item stands in a list that is newest first. It keeps its place while others come and go. */
export interface Position {
  readonly createdAtMs: number;
  /** Tells items of the same millisecond apart: rises with each that is made. */
  readonly number: number;
}

/** The part of a list that is asked for. */
export interface Span {
  /** Items at most. */
  readonly limit: number;
  /** The item before the first; absent for the beginning of the list. */
  readonly after?: Position;
}

/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Of each item. */
  readonly positions: readonly Position[];
  /** True when the list has items after the last one. */
  readonly more: boolean;
}

/** The same page of what `show` makes of its items. */
export function mapPage<Row, Item>({ items, positions, more }: Page<Row>, show: (row: Row) => Item): Page<Item> {
  return { items: items.map((row) => show(row)), positions, more };
}
