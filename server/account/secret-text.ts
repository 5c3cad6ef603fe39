import zlib from 'node:zlib';
import { randomBase62, toBase62 } from '@runcloud/protocol/terms';

/**
 * Secrets other than API keys that are shown once: a prefix for the kind, 32 random base-62 characters (190 bits), and a
 * checksum, so that a mistyped one is refused without a look-up.
 */
const PREFIXES = {
  access: 'rca_',
  refresh: 'rcr_',
  device: 'rcd_',
  cookie: 'rcs_',
  link: 'rcl_',
} as const;
export type SecretKind = keyof typeof PREFIXES;

const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const BODY = new RegExp(`^[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);

export function makeSecret(kind: SecretKind): string {
  const text = PREFIXES[kind] + randomBase62(RANDOM_CHARACTERS);
  return text + toBase62(zlib.crc32(text), CHECKSUM_CHARACTERS);
}

/** Whether the text has the form of a secret of this kind. Whether it is valid, only a look-up of its digest tells. */
export function isSecret(kind: SecretKind, text: string): boolean {
  const prefix = PREFIXES[kind];
  if (!text.startsWith(prefix) || !BODY.test(text.slice(prefix.length))) return false;
  const checked = text.slice(0, -CHECKSUM_CHARACTERS);
  return toBase62(zlib.crc32(checked), CHECKSUM_CHARACTERS) === text.slice(-CHECKSUM_CHARACTERS);
}
