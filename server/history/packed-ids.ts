import { LIMITS } from '@runcloud/protocol/terms';

/**
 * How the request ids of a piece lie in the file: of each what it does not share with the beginning of the one before. Ids of one
 * client mostly differ in their last characters, and would be two thirds of the file.
 *
 * Each id is one character that tells how many it shares, the rest of it, and a line feed. A text that begins with a line feed is of a
 * version that kept ids whole, with a line feed before and behind each.
 */

const LINE_FEED = 10;
/** The character of an id that shares nothing. */
const SHARES_NONE = 0x20;
/** What is still a character of one byte. */
const SHARED_MAX = 0x7e - SHARES_NONE;

/** Used again and again, since it is longer than what is made in it. */
let scratch = Buffer.alloc(0);

/**
 * @param ids ASCII, with a line feed behind each
 * @param from where the first of them begins
 * @returns the text, and where the id behind the last one begins
 */
export function packedIds(
  ids: Uint8Array,
  from: number,
  count: number,
): { readonly text: string; readonly end: number } {
  const bytesMax = count * (LIMITS.requestIdCharacters.max + 2);
  if (scratch.length < bytesMax) scratch = Buffer.allocUnsafe(bytesMax);
  const bytes = scratch;
  let length = 0;
  let before = from;
  let sharedMax = 0;
  let at = from;
  for (let left = count; left > 0; left--) {
    let shared = 0;
    while (shared < sharedMax && ids[at + shared] === ids[before + shared]) shared++;
    bytes[length++] = SHARES_NONE + shared;
    let next = at + shared;
    for (; ids[next] !== LINE_FEED; next++) bytes[length++] = ids[next] as number;
    bytes[length++] = LINE_FEED;
    before = at;
    sharedMax = Math.min(SHARED_MAX, next - at);
    at = next + 1;
  }
  return { text: bytes.toString('latin1', 0, length), end: at };
}

export function unpackedIds(text: string): string[] {
  if (text.startsWith('\n')) return text.slice(1, -1).split('\n');
  const ids: string[] = [];
  let before = '';
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    before = before.slice(0, text.charCodeAt(at) - SHARES_NONE) + text.slice(at + 1, end);
    ids.push(before);
    at = end + 1;
  }
  return ids;
}
