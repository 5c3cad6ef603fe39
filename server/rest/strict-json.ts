import { isUtf8 } from 'node:buffer';
import { LIMITS } from '@runcloud/protocol';
import { isFieldName } from '../wire/field-names.ts';

export type JsonRead = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

const refuse = (reason: string): JsonRead => ({ ok: false, reason });

/**
 * Parses a JSON body (RFC 8259): UTF-8, nested no deeper than a message of the control socket, without duplicate keys, which
 * parsers treat differently.
 */
export function readJson(body: Uint8Array): JsonRead {
  if (body.byteLength === 0) return refuse('The body is empty; a JSON object is needed');
  if (!isUtf8(body)) return refuse('The body is not UTF-8');
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  const scanned = scan(text);
  if ('reason' in scanned) return refuse(scanned.reason);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('The body is not JSON');
  }
  const counts = { keys: 0, entries: 0 };
  count(value, counts);
  // A duplicate key collapses while parsing: the result has fewer keys than the text.
  if (counts.keys !== scanned.keys) return refuse('The body has a key twice in one object');
  if (counts.entries > LIMITS.clientMessageEntries) return refuse(TOO_MANY_ENTRIES);
  return { ok: true, value };
}

const TOO_DEEP = `The body is nested deeper than ${LIMITS.clientMessageDepth} levels`;
const TOO_MANY_ENTRIES = `The body has more than ${LIMITS.clientMessageEntries} entries in its objects and lists`;
const TOO_MANY_UNKNOWN = `The body has more than ${LIMITS.clientUnknownKeys} fields that are not known`;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Scans a text before it is parsed, since parsing can cost a hundred times as much. Returns the number of keys in the text:
 * the colons outside of strings.
 */
function scan(text: string): { readonly keys: number } | { readonly reason: string } {
  let keys = 0;
  let unknownKeys = 0;
  let depth = 0;
  // Without the outermost container, neither count can exceed the number of entries.
  let commas = 0;
  let containers = 0;
  // The last string; a colon after it makes it a key.
  let start = 0;
  let end = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        start = index + 1;
        end = endOfString(text, start);
        index = end;
        break;
      case 0x3a: // :
        keys++;
        if (!isFieldName(text.slice(start, end)) && ++unknownKeys > LIMITS.clientUnknownKeys) {
          return { reason: TOO_MANY_UNKNOWN };
        }
        break;
      case 0x2c: // ,
        if (++commas > LIMITS.clientMessageEntries) return { reason: TOO_MANY_ENTRIES };
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > LIMITS.clientMessageDepth) return { reason: TOO_DEEP };
        if (++containers > LIMITS.clientMessageEntries + 1) return { reason: TOO_MANY_ENTRIES };
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
    }
  }
  return { keys };
}

function endOfString(text: string, start: number): number {
  let index = start;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    index += code === BACKSLASH ? 2 : 1;
  }
  return index;
}

/** Counts the keys of all objects, and the entries of all objects and lists. */
function count(value: unknown, counts: { keys: number; entries: number }): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    counts.entries += value.length;
    for (const item of value) count(item, counts);
    return;
  }
  // Parsed objects inherit no enumerable field; `for in` allocates no list of keys or values.
  for (const key in value) {
    counts.entries++;
    counts.keys++;
    count((value as Readonly<Record<string, unknown>>)[key], counts);
  }
}
