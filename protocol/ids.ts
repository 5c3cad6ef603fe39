/** Identifiers: a prefix that names the kind, an underscore, base-62 characters from a secure source. Opaque to clients. */

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 22 base-62 characters carry 130 bits, so that an id can be neither guessed nor met twice. */
const ID_RANDOM_CHARACTERS = 22;

export const ID_PREFIXES = [
  'ses',
  'rec',
  'req',
  'lse',
  'dev',
  'ast',
  'acc',
  'org',
  'key',
  'lnk',
  'evt',
  'sgn',
  'tok',
  'prt',
  'con',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

/** `count` base-62 characters, each drawn evenly from the runtime's secure random source. */
export function randomBase62(count: number): string {
  let text = '';
  while (text.length < count) {
    for (const byte of crypto.getRandomValues(new Uint8Array(count * 2))) {
      // 248 is the largest multiple of 62 in a byte: what lies above would favour the first characters.
      if (byte < 248 && text.length < count) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomBase62(ID_RANDOM_CHARACTERS)}`;
}

/** The encoding of `value` in base 62, padded with zeros to `width` characters. */
export function toBase62(value: number, width: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = BASE62.charAt(rest % 62) + text;
  return text.padStart(width, '0');
}
