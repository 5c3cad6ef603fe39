import { Type } from '@sinclair/typebox';
import { oneOf } from '../fault.ts';
import { KEYS, type Key } from '../keys.ts';
import { LIMITS } from '../limits.ts';
import { MODIFIERS } from '../platforms.ts';
import { actionSchema, defineAction, milliseconds } from './action.ts';

export const HoldMs = milliseconds(LIMITS.holdDurationMs, 'Milliseconds from pressing to releasing');

const known = new Set(KEYS);

export const pressKey = defineAction({
  schema: actionSchema('pressKey', {
    key: Type.Unsafe<Key>({ ...oneOf(KEYS), words: 'a semantic key such as "a", "enter" or "arrowLeft"' }),
    modifiers: Type.Optional(
      Type.Array(oneOf(MODIFIERS), {
        words: `a list of modifiers out of ${MODIFIERS.join(', ')}`,
        description: 'A repeated one counts once',
      }),
    ),
    durationMs: Type.Optional(HoldMs),
  }),
  complete: ({ key, modifiers = [], durationMs = LIMITS.holdDurationMs.default }) => ({
    action: 'pressKey' as const,
    key,
    // One order for the same set, so that a repeated request compares equal.
    modifiers: MODIFIERS.filter((modifier) => modifiers.includes(modifier)),
    durationMs,
  }),
});

export const isKey = (text: string): text is Key => known.has(text);
