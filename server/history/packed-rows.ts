import { ACCEPTED, type Piece, WIDTH } from './layout.ts';
import { packedIds } from './packed-ids.ts';
import { packed } from './packed-numbers.ts';

/** A page of a history reads whole rows. */
export const ENTRIES_OF_ROW_MAX = 2_048;

/** Entries as they lie in a row of the file. */
export interface PackedRow {
  readonly first: number;
  readonly count: number;
  /** When the first and the last of them were accepted, in milliseconds since the epoch. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly ids: string;
  readonly numbers: Buffer;
}

/** The rows of a piece's new entries. */
export function* packedRows({ first, count, numbers, ids }: Piece): Generator<PackedRow> {
  let idsAt = 0;
  for (let from = 0; from < count; from += ENTRIES_OF_ROW_MAX) {
    const until = Math.min(count, from + ENTRIES_OF_ROW_MAX);
    const { text, end } = packedIds(ids, idsAt, until - from);
    idsAt = end;
    yield packedRow(first + from, text, numbers.subarray(from * WIDTH, until * WIDTH));
  }
}

/** @param ids as `packedIds` gives them */
export function packedRow(first: number, ids: string, numbers: Float64Array): PackedRow {
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = 0;
  for (let at = ACCEPTED; at < numbers.length; at += WIDTH) {
    const ms = numbers[at] as number;
    if (ms < firstMs) firstMs = ms;
    if (ms > lastMs) lastMs = ms;
  }
  return { first, count: numbers.length / WIDTH, firstMs, lastMs, ids, numbers: packed(numbers) };
}
