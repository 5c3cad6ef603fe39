import { LIMITS } from './limits.ts';

/**
 * Looks over MessagePack bytes before anything decodes them: one plain value, bounded in depth and size, without
 * extension types. It follows the layout of the MessagePack specification, allocates nothing that grows with the input
 * and never recurses, so that a hostile message costs no more than its length.
 */
export type Scan = { readonly ok: true; readonly mapEntries: number } | { readonly ok: false; readonly reason: string };

const refuse = (reason: string): Scan => ({ ok: false, reason });

const TRUNCATED = refuse('the message ends too early');
const PROTO = new TextEncoder().encode('__proto__');
const utf8 = new TextDecoder('utf-8', { fatal: true });

enum Kind {
  Done,
  String,
  Array,
  Map,
}

/** Size in bytes of the values that have a fixed one, by their first byte: floats, then unsigned and signed integers. */
const FIXED_BYTES: ReadonlyMap<number, number> = new Map([
  [0xca, 4],
  [0xcb, 8],
  [0xcc, 1],
  [0xcd, 2],
  [0xce, 4],
  [0xcf, 8],
  [0xd0, 1],
  [0xd1, 2],
  [0xd2, 4],
  [0xd3, 8],
]);

/** Width in bytes of the length that follows the first byte of longer values. */
const LENGTH_BYTES: ReadonlyMap<number, number> = new Map([
  [0xc4, 1],
  [0xc5, 2],
  [0xc6, 4],
  [0xd9, 1],
  [0xda, 2],
  [0xdb, 4],
  [0xdc, 2],
  [0xdd, 4],
  [0xde, 2],
  [0xdf, 4],
]);

/** Checks the first `length` bytes of `bytes`; the value has to be a map. */
export function scanMessage(bytes: Uint8Array, length: number): Scan {
  const items = new Array<number>(LIMITS.clientMessageDepth);
  const maps = new Array<boolean>(LIMITS.clientMessageDepth);
  let depth = 0;
  let position = 0;
  let entries = 0;
  let mapEntries = 0;
  do {
    // Even positions within a map are keys: its items are counted as keys and values.
    const isKey = depth > 0 && maps[depth - 1] === true && ((items[depth - 1] ?? 0) & 1) === 0;
    if (depth > 0) items[depth - 1] = (items[depth - 1] ?? 0) - 1;
    if (position >= length) return TRUNCATED;
    const first = bytes[position++] ?? 0;
    let size = 0;
    let kind = Kind.Done;
    if (first <= 0x7f || first >= 0xe0 || first === 0xc0 || first === 0xc2 || first === 0xc3) {
      // A small integer, nil or a boolean: the byte is the value.
    } else if (first <= 0x8f) {
      kind = Kind.Map;
      size = first & 0x0f;
    } else if (first <= 0x9f) {
      kind = Kind.Array;
      size = first & 0x0f;
    } else if (first <= 0xbf) {
      kind = Kind.String;
      size = first & 0x1f;
    } else {
      const fixed = FIXED_BYTES.get(first);
      const width = LENGTH_BYTES.get(first);
      if (fixed !== undefined) {
        if (position + fixed > length) return TRUNCATED;
        if (fixed === 8 && first !== 0xcb && !isSafeInteger(bytes, position, first === 0xd3)) {
          return refuse('an integer is outside of -2^53 to 2^53');
        }
        position += fixed;
      } else if (width !== undefined) {
        if (position + width > length) return TRUNCATED;
        for (let index = 0; index < width; index++) size = size * 256 + (bytes[position++] ?? 0);
        kind = first <= 0xc6 ? Kind.Done : first <= 0xdb ? Kind.String : first <= 0xdd ? Kind.Array : Kind.Map;
        if (kind === Kind.Done) {
          if (position + size > length) return TRUNCATED;
          position += size;
        }
      } else {
        return refuse('extension types are not used here');
      }
    }
    if (isKey && kind !== Kind.String) return refuse('a map key is not a string');
    if (depth === 0 && kind !== Kind.Map) return refuse('the message is not a map');
    if (kind === Kind.String) {
      if (position + size > length) return TRUNCATED;
      if (isKey && (size === 0 || size > LIMITS.clientKeyBytes)) return refuse('a map key is empty or too long');
      if (isKey && isProto(bytes, position, size)) return refuse('"__proto__" is not allowed as a map key');
      if (!isUtf8(bytes, position, position + size)) return refuse('a string is not UTF-8');
      position += size;
    } else if (kind !== Kind.Done) {
      entries += size;
      if (kind === Kind.Map) mapEntries += size;
      if (entries > LIMITS.clientMessageEntries) return refuse('the message has too many entries');
      if (depth === LIMITS.clientMessageDepth) return refuse('the message is nested too deeply');
      maps[depth] = kind === Kind.Map;
      items[depth] = kind === Kind.Map ? size * 2 : size;
      depth++;
    }
    while (depth > 0 && items[depth - 1] === 0) depth--;
  } while (depth > 0);
  return position === length ? { ok: true, mapEntries } : refuse('bytes follow the message');
}

/** Whether the 64-bit integer at `position` is within ±2^53, the range that a JavaScript number holds exactly. */
function isSafeInteger(bytes: Uint8Array, position: number, signed: boolean): boolean {
  let high = 0;
  for (let index = 0; index < 4; index++) high = high * 256 + (bytes[position + index] ?? 0);
  return high < 0x20_0000 || (signed && high >= 0xffe0_0000);
}

function isProto(bytes: Uint8Array, position: number, size: number): boolean {
  return size === PROTO.length && PROTO.every((byte, index) => bytes[position + index] === byte);
}

function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  for (let position = start; position < end; position++) {
    if ((bytes[position] ?? 0) >= 0x80) return decodes(bytes.subarray(start, end));
  }
  return true;
}

function decodes(text: Uint8Array): boolean {
  try {
    utf8.decode(text);
    return true;
  } catch {
    return false;
  }
}
