import type { Page, Span } from '../flow/page.ts';

/** Parameters of every list statement, in addition to its own. */
export interface SpanParameters {
  readonly beforeMs: number;
  readonly beforeNumber: number;
  /** One more than the page holds, which shows whether there is a next page. */
  readonly rows: number;
}

/** Columns of every list statement, in addition to its own. */
export interface Placed {
  readonly createdAtMs: number;
  readonly number: number;
}

/** Column of a list statement that tells items of the same millisecond apart. */
export const NUMBER = (table: string) => `${table}.rowid AS number`;

/**
 * The part of a list that a statement reads, newest first. With an index that ends in `created_at_ms`, ascending, it is a
 * range of that index, read backwards and in order.
 */
export const SPAN = (table: string) => `(${table}.created_at_ms, ${table}.rowid) < (@beforeMs, @beforeNumber)
  ORDER BY ${table}.created_at_ms DESC, ${table}.rowid DESC LIMIT @rows`;

/** Before the newest item that there can be. */
const START = Number.MAX_SAFE_INTEGER;

export const spanParameters = ({ limit, after }: Span): SpanParameters => ({
  beforeMs: after?.createdAtMs ?? START,
  beforeNumber: after?.number ?? START,
  rows: limit + 1,
});

/** The rows of a list statement as a page of what `read` makes of them. */
export function toPage<Row extends Placed, Item>(
  rows: readonly Row[],
  { limit }: Span,
  read: (row: Omit<Row, 'number'>) => Item,
): Page<Item> {
  const kept = rows.slice(0, limit);
  return {
    items: kept.map(({ number: _number, ...row }) => read(row)),
    positions: kept.map(({ createdAtMs, number }) => ({ createdAtMs, number })),
    more: rows.length > limit,
  };
}
