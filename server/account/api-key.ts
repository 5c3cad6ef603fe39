import * as crypto from 'node:crypto';
import zlib from 'node:zlib';
import { randomBase62, toBase62 } from '@runcloud/protocol/terms';

/**
 * `rck_`, 32 random base-62 characters (190 bits), and the CRC-32 of all before it in 6 base-62 characters: the prefix
 * lets secret scanners find a leaked key, the tail lets a mistyped one be refused without a look-up.
 */
const PREFIX = 'rck_';
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const MADE_KEY = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);

/** The form of an operator's own key; the checksum applies only to generated keys. */
const GIVEN_KEY = /^[\x21-\x7e]{20,200}$/;

function checksumOf(text: string): string {
  return toBase62(zlib.crc32(text), CHECKSUM_CHARACTERS);
}

export function makeApiKey(): string {
  const key = PREFIX + randomBase62(RANDOM_CHARACTERS);
  return key + checksumOf(key);
}

/** Whether the key has the form of a generated key; its checksum may be wrong. */
export function looksMade(key: string): boolean {
  return MADE_KEY.test(key);
}

export function hasValidChecksum(key: string): boolean {
  return looksMade(key) && checksumOf(key.slice(0, -CHECKSUM_CHARACTERS)) === key.slice(-CHECKSUM_CHARACTERS);
}

/** Whether the text is allowed as an operator's own key: 20 to 200 visible ASCII characters. */
export function isGivenKey(text: string): boolean {
  return GIVEN_KEY.test(text);
}

/**
 * SHA-256 of the key in 64 lower-case hex digits. A fast hash is sufficient: a key has too many random bits to be guessed, so a
 * slow hash would protect nothing.
 */
export const digestOf: (key: string) => string =
  // `crypto.hash` takes less than half the time, but does not exist in Node 20.0.
  typeof crypto.hash === 'function'
    ? (key) => crypto.hash('sha256', key, 'hex')
    : (key) => crypto.createHash('sha256').update(key).digest('hex');
