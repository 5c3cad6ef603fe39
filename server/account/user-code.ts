import { randomInt } from 'node:crypto';

/**
 * The user code of the device flow: 8 consonants, which form no words and exclude look-alikes (RFC 8628, section 6.1); 34 bits,
 * enough for ten minutes and a few tries.
 */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const CODE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);

/** The code as it is displayed, in two groups of four. */
export function makeUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
  return shownUserCode(letters);
}

/** The normalised letters of a typed code; `undefined` if it is not a code. */
export function readUserCode(typed: string): string | undefined {
  const letters = typed
    .slice(0, 64)
    .replace(/[\s_.-]/g, '')
    .toUpperCase();
  return CODE.test(letters) ? letters : undefined;
}

export const shownUserCode = (letters: string): string => `${letters.slice(0, 4)}-${letters.slice(4)}`;
