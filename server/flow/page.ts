/** The position of an item in a list that is newest first; stable while other items are added or removed. */
export interface Position {
  readonly createdAtMs: number;
  /** Rises with each new item; orders items of the same millisecond. */
  readonly number: number;
}

/** The requested part of a list. */
export interface Span {
  /** Maximum number of items. */
  readonly limit: number;
  /** Position of the item before the first one; absent for the beginning of the list. */
  readonly after?: Position;
}

/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Position of each item. */
  readonly positions: readonly Position[];
  /** True if the list has further items. */
  readonly more: boolean;
}

/** The same page with each item mapped by `show`. */
export function mapPage<Row, Item>({ items, positions, more }: Page<Row>, show: (row: Row) => Item): Page<Item> {
  return { items: items.map((row) => show(row)), positions, more };
}
