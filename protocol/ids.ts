/** Identifiers: a prefix that names the kind, an underscore, base-62 characters from a secure source. Opaque to clients. */

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The largest multiple of 62 in a byte: bytes above it would favour the first characters. */
const EVEN_BYTES = 248;

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
  'snp',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

/** `count` base-62 characters, each drawn evenly from the runtime's secure random source. */
export function randomBase62(count: number): string {
  let text = '';
  while (text.length < count) {
    for (const byte of crypto.getRandomValues(new Uint8Array(count * 2))) {
      if (byte < EVEN_BYTES && text.length < count) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}

/**
 * Random bytes for ids, drawn for a hundred at a time: a draw takes longer than all the rest of an id. What must stay secret draws for
 * itself, above.
 */
const drawn = new Uint8Array(4_096);
let used = drawn.length;

function nextByte(): number {
  if (used === drawn.length) {
    crypto.getRandomValues(drawn);
    used = 0;
  }
  return drawn[used++] as number;
}

/** The length of a place in an id. */
export const ID_PLACE_CHARACTERS = 6;

/**
 * @param place says where what it names is: `ID_PLACE_CHARACTERS` base-62 characters behind the random ones, by whose beginning people
 *   tell ids apart; or none
 */
export function newId(prefix: IdPrefix, place = ''): string {
  let text = `${prefix}_`;
  for (const length = text.length + ID_RANDOM_CHARACTERS; text.length < length; ) {
    const byte = nextByte();
    if (byte < EVEN_BYTES) text += BASE62.charAt(byte % 62);
  }
  return text + place;
}

const PLACED = new RegExp(`^[a-z]{3}_[0-9A-Za-z]{${ID_RANDOM_CHARACTERS}}([0-9A-Za-z]{${ID_PLACE_CHARACTERS}})$`);

/** The place in an id; empty for an id without one. */
export const placeIn = (id: string): string => PLACED.exec(id)?.[1] ?? '';

/** The encoding of `value` in base 62, padded with zeros to `width` characters. */
export function toBase62(value: number, width: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = BASE62.charAt(rest % 62) + text;
  return text.padStart(width, '0');
}
