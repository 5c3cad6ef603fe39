import { type ErrorCode, LIMITS, type Query, ServiceError } from '@runcloud/protocol';
import type { Cursors } from '../flow/cursors.ts';
import type { Page, Span } from '../flow/page.ts';
import { JSON_HEADERS } from './reply.ts';

/** A checked query of a list: cursor, limit and filters. */
export interface Listing {
  readonly limit: number;
  readonly cursor?: string;
}

/** Rows that are read and written in one piece: a quarter of a millisecond. */
const ROWS_PER_PIECE = 10;

/**
 * Answers a page of a list, and yields after each piece of it.
 * @param name field of the items in the answer
 * @param holder owner of the list: an account or a session
 * @param read returns the items of the query
 * @param bytesMax limit of an answer with more than one item
 */
export function* answerList<Asked extends Listing>(
  name: string,
  { query: { invalid } }: { readonly query: Query },
  { query }: { readonly query: Asked },
  cursors: Cursors,
  holder: string,
  read: (span: Span, query: Asked) => Page<object>,
  bytesMax: number = LIMITS.listAnswerBytes,
) {
  const list = listName(name, holder, query);
  const span = spanOf(cursors, list, query, invalid);
  const texts: string[] = [];
  let bytes = `{"${name}":[],"next":""}`.length + CURSOR_CHARACTERS;
  let last = span.after;
  for (;;) {
    const limit = Math.min(ROWS_PER_PIECE, span.limit - texts.length);
    const { items, positions, more } = read(last ? { limit, after: last } : { limit }, query);
    let taken = 0;
    for (const item of items) {
      const text = JSON.stringify(item);
      bytes += Buffer.byteLength(text) + 1;
      if (bytes > bytesMax && texts.length > 0) break;
      texts.push(text);
      taken++;
    }
    last = positions[taken - 1] ?? last;
    const full = taken < items.length || texts.length >= span.limit;
    if (full || !more) {
      const next = last && (more || taken < items.length) ? `,"next":"${cursors.seal(list, last)}"` : '';
      return { status: 200 as const, headers: JSON_HEADERS, body: `{"${name}":[${texts.join(',')}]${next}}` };
    }
    yield;
  }
}

const CURSOR_CHARACTERS = 38;

/** The scope of a cursor: the list, its owner and its filters. */
export function listName(
  name: string,
  holder: string,
  { limit: _limit, cursor: _cursor, ...filters }: Listing,
): string {
  const narrowed = Object.entries(filters).filter(([, value]) => value !== undefined);
  return [name, holder, ...narrowed.map(([field, value]) => `${field}=${value}`).sort()].join(' ');
}

/** The requested part of the list. Throws `code` for a cursor of another list. */
export function spanOf(cursors: Cursors, list: string, { limit, cursor }: Listing, code: ErrorCode): Span {
  if (cursor === undefined) return { limit };
  const after = cursors.open(list, cursor);
  if (after) return { limit, after };
  throw new ServiceError(code, '"cursor" must be the "next" of an earlier answer of this very list.');
}
