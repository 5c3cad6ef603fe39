import { KIND_OF, Kind, SHORT_LENGTH_OF, WIDTH_OF } from './message-layout.ts';

/** Texts longer than this are no request id, and no name of anything. */
const TEXT_BYTES_MAX = 128;
/** Fields that are looked at; what clients write of a request comes first. */
const FIELDS_MAX = 8;

/**
 * The short texts that a message begins with, by the names of their fields: what a refusal can say of a message that is
 * not worth reading. It costs the same for a message of any length, and ends where anything else than a plain value
 * comes. Nothing of it is checked.
 */
export function peekMessage(bytes: Uint8Array): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  let at = 0;
  /** A short text; `undefined`, and nothing more is read, for anything else. */
  const text = (): string | undefined => {
    const first = bytes[at] ?? 0;
    if (KIND_OF[first] !== Kind.Text) return undefined;
    const width = WIDTH_OF[first] ?? 0;
    const size = width === 0 ? (SHORT_LENGTH_OF[first] ?? 0) : width === 1 ? (bytes[at + 1] ?? 0) : TEXT_BYTES_MAX + 1;
    const start = at + 1 + width;
    if (size > TEXT_BYTES_MAX || start + size > bytes.length) return undefined;
    at = start + size;
    return String.fromCharCode(...bytes.subarray(start, at));
  };
  const first = bytes[at++] ?? 0;
  if (KIND_OF[first] !== Kind.Map) return texts;
  at += WIDTH_OF[first] ?? 0;
  for (let fields = 0; fields < FIELDS_MAX; fields++) {
    const name = text();
    if (name === undefined) return texts;
    const kind = KIND_OF[bytes[at] ?? 0] ?? Kind.Refused;
    if (kind === Kind.Text) {
      const value = text();
      if (value === undefined) return texts;
      if (name !== '__proto__') texts[name] = value;
    } else if (kind > Kind.Refused && kind < Kind.Binary) {
      at += 1 + (WIDTH_OF[bytes[at] ?? 0] ?? 0);
    } else {
      return texts;
    }
  }
  return texts;
}
