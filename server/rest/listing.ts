import { type Checked, type ErrorCode, faultSentence, LIMITS, ServiceError } from '@runcloud/protocol';
import type { Cursors } from '../flow/cursors.ts';
import type { Page, Span } from '../flow/page.ts';
import type { HttpReply } from '../socket/http.ts';
import type { Call } from './call.ts';
import { readQuery } from './query.ts';
import { JSON_HEADERS } from './reply.ts';

/** A checked query of a list: where to begin, and what narrows the list. */
export interface Listing {
  readonly limit: number;
  readonly cursor?: string;
}

/** A list as clients ask for it. */
export interface ListKind<Query extends Listing> {
  /** Name of the items in the answer. */
  readonly name: string;
  /** Of the query. */
  readonly fields: readonly string[];
  readonly check: (values: Readonly<Record<string, string>>) => Checked<Query>;
  /** What a query is refused with. */
  readonly code: ErrorCode;
  /** An answer with more than one item is no longer than this. */
  readonly bytesMax?: number;
}

/**
 * Answers a page of a list.
 * @param holder whose list it is: an account, or a session
 * @param read gives the items that the query wants
 */
export function answerList<Query extends Listing>(
  { name, fields, check, code, bytesMax = LIMITS.listAnswerBytes }: ListKind<Query>,
  { head }: Pick<Call, 'head'>,
  cursors: Cursors,
  holder: string,
  read: (span: Span, query: Query) => Page<object>,
): HttpReply {
  const checked = check(readQuery(head.query, fields));
  if (!checked.ok) throw new ServiceError(code, faultSentence(checked.fault));
  const list = listName(name, holder, checked.value);
  const { items, positions, more } = read(spanOf(cursors, list, checked.value, code), checked.value);
  const texts: string[] = [];
  let bytes = `{"${name}":[],"next":""}`.length + CURSOR_CHARACTERS;
  for (const item of items) {
    const text = JSON.stringify(item);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > bytesMax && texts.length > 0) break;
    texts.push(text);
  }
  const last = positions[texts.length - 1];
  const goesOn = last && (more || texts.length < items.length);
  const next = goesOn ? `,"next":"${cursors.seal(list, last)}"` : '';
  return { status: 200, headers: JSON_HEADERS, body: `{"${name}":[${texts.join(',')}]${next}}` };
}

const CURSOR_CHARACTERS = 38;

/** What a cursor is good for: this list of this holder, narrowed in this way. */
export function listName(
  name: string,
  holder: string,
  { limit: _limit, cursor: _cursor, ...filters }: Listing,
): string {
  const narrowed = Object.entries(filters).filter(([, value]) => value !== undefined);
  return [name, holder, ...narrowed.map(([field, value]) => `${field}=${value}`).sort()].join(' ');
}

/** The part of the list that is asked for. Throws `code` for a cursor of another list. */
export function spanOf(cursors: Cursors, list: string, { limit, cursor }: Listing, code: ErrorCode): Span {
  if (cursor === undefined) return { limit };
  const after = cursors.open(list, cursor);
  if (after) return { limit, after };
  throw new ServiceError(code, '"cursor" must be the "next" of an earlier answer of this very list.');
}
