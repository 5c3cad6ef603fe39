import { Type } from '@sinclair/typebox';
import { LIMITS } from './limits.ts';

/** 1 to 200 printable characters. */
export const IdempotencyKey = Type.String({
  pattern: `^[\\x20-\\x7e]{1,${LIMITS.idempotencyKeyCharacters.max}}$`,
  words: `1 to ${LIMITS.idempotencyKeyCharacters.max} printable characters`,
});
