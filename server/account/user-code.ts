import { randomInt } from 'node:crypto';

/**
 * What a person types to let a program in: 8 consonants, so that no word and no look-alike comes up (RFC 8628,
 * section 6.1); 34 bits, enough for ten minutes and a few tries.
 */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const CODE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);

/** In two groups of four, as it is shown. */
export function makeUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
  return shownUserCode(letters);
}

/** The code's letters, however they were typed; `undefined` when it can be none. */
export function readUserCode(typed: string): string | undefined {
  const letters = typed
    .slice(0, 64)
    .replace(/[\s_.-]/g, '')
    .toUpperCase();
  return CODE.test(letters) ? letters : undefined;
}

export const shownUserCode = (letters: string): string => `${letters.slice(0, 4)}-${letters.slice(4)}`;
