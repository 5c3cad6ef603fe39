import { LIMITS } from '@runcloud/protocol/terms';
import { holdsFieldName } from './field-names.ts';
import { KIND_OF, Kind, SHORT_LENGTH_OF, WIDTH_OF } from './message-layout.ts';
import { isUtf8 } from './utf8.ts';

/**
 * Looks over MessagePack bytes before anything decodes them: one plain map, bounded in depth and size, without
 * extension types. It allocates nothing that grows with the input and never recurses, so that a hostile message costs
 * no more than its length.
 */
export type Scan = { readonly ok: true; readonly mapEntries: number } | { readonly ok: false; readonly reason: string };

const refuse = (reason: string): Scan => ({ ok: false, reason });

const TRUNCATED = refuse('the message ends too early');
const PROTO = new TextEncoder().encode('__proto__');

// The containers around the current value, outermost first. A scan runs to its end without a pause, so all share them.
const isMap = new Uint8Array(LIMITS.clientMessageDepth);
const valuesLeft = new Int32Array(LIMITS.clientMessageDepth);

/** Checks the first `length` bytes of `bytes`. */
export function scanMessage(bytes: Uint8Array, length: number): Scan {
  if (length === 0) return TRUNCATED;
  if (KIND_OF[bytes[0] ?? 0] !== Kind.Map) return refuse('the message is not a map');
  let position = 0;
  let depth = 0;
  let entries = 0;
  let mapEntries = 0;
  let unknownKeys = 0;
  do {
    if (position >= length) return TRUNCATED;
    const first = bytes[position++] ?? 0;
    const kind = KIND_OF[first] ?? Kind.Refused;
    const width = WIDTH_OF[first] ?? 0;
    const isKey = depth > 0 && takesKey(depth - 1);
    if (isKey && kind !== Kind.Text) return refuse('a map key is not a string');
    if (position + width > length) return TRUNCATED;
    if (kind < Kind.Binary) {
      if (kind === Kind.Refused) return refuse('a value is of an extension type');
      if (kind !== Kind.Scalar && !isSafeInteger(bytes, position, kind === Kind.Signed64)) {
        return refuse('an integer is beyond 2^53 - 1');
      }
      position += width;
    } else {
      const size = width === 0 ? (SHORT_LENGTH_OF[first] ?? 0) : readLength(bytes, position, width);
      position += width;
      if (kind < Kind.List) {
        const end = position + size;
        if (end > length) return TRUNCATED;
        if (isKey) {
          if (size === 0 || size > LIMITS.clientKeyBytes) return refuse('a map key is empty or too long');
          if (isProto(bytes, position, size)) return refuse('"__proto__" is not allowed as a map key');
          if (!holdsFieldName(bytes, position, size) && ++unknownKeys > LIMITS.clientUnknownKeys) {
            return refuse('the message has too many keys that no message has');
          }
        }
        if (kind === Kind.Text && !isUtf8(bytes, position, end)) return refuse('a string is not UTF-8');
        position = end;
      } else {
        entries += size;
        if (entries > LIMITS.clientMessageEntries) return refuse('the message has too many entries');
        if (depth === LIMITS.clientMessageDepth) return refuse('the message is nested too deeply');
        if (kind === Kind.Map) mapEntries += size;
        isMap[depth] = kind === Kind.Map ? 1 : 0;
        valuesLeft[depth] = kind === Kind.Map ? size * 2 : size;
        depth++;
      }
    }
    while (depth > 0 && valuesLeft[depth - 1] === 0) depth--;
  } while (depth > 0);
  return position === length ? { ok: true, mapEntries } : refuse('bytes follow the message');
}

/** Counts one value of a container off; true when it has to be a key, as every second value of a map. */
function takesKey(container: number): boolean {
  const left = valuesLeft[container] ?? 0;
  valuesLeft[container] = left - 1;
  return isMap[container] === 1 && (left & 1) === 0;
}

function readLength(bytes: Uint8Array, position: number, width: number): number {
  let size = 0;
  for (let index = 0; index < width; index++) size = size * 256 + (bytes[position + index] ?? 0);
  return size;
}

/** Whether a JavaScript number holds the 64-bit integer at `position` exactly: at most 2^53 - 1 on either side of 0. */
function isSafeInteger(bytes: Uint8Array, position: number, signed: boolean): boolean {
  const high = readLength(bytes, position, 4);
  if (high < 0x20_0000) return true;
  // The one negative number with this high half that is not safe is -2^53 itself.
  return signed && (high > 0xffe0_0000 || (high === 0xffe0_0000 && readLength(bytes, position + 4, 4) > 0));
}

function isProto(bytes: Uint8Array, position: number, size: number): boolean {
  if (size !== PROTO.length) return false;
  for (let index = 0; index < size; index++) if (bytes[position + index] !== PROTO[index]) return false;
  return true;
}
