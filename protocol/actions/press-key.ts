import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import { oneOf } from '../compile-check.ts';
import { KEYS, type Key, LOCK_KEYS } from '../keys.ts';
import { MODIFIERS } from '../platforms.ts';
import { defineAction } from './define-action.ts';
import { HoldMs, holdLack } from './hold.ts';

const known: ReadonlySet<string> = new Set(KEYS);

export const pressKey = defineAction({
  name: 'pressKey',
  summary: 'Press a key',
  example: { key: 'a', modifiers: ['meta'] },
  fields: {
    key: Type.Unsafe<Key>({
      ...oneOf(KEYS),
      words: 'a semantic key such as "a", "enter" or "arrowLeft"',
      description: 'A key of a US keyboard',
    }),
    modifiers: Type.Optional(
      Type.Array(oneOf(MODIFIERS), {
        words: `a list of modifiers out of ${MODIFIERS.join(', ')}`,
        description: 'Keys that are held meanwhile; duplicates are ignored',
      }),
    ),
    durationMs: Type.Optional(HoldMs),
  },
  result: { key: Type.Unsafe<Key>(oneOf(KEYS)), modifiers: Type.Array(oneOf(MODIFIERS)), durationMs: HoldMs },
  complete: ({ key, modifiers = [], durationMs = ACTION_LIMITS.holdDurationMs.default }) => ({
    key,
    // The same set always has the same order, so that a repeated request compares equal.
    modifiers: MODIFIERS.filter((modifier) => modifiers.includes(modifier)),
    durationMs,
  }),
  lack: ({ key, modifiers, durationMs }, can) => {
    if (!can.lockKeys && LOCK_KEYS.includes(key)) return { what: `"pressKey" of "${key}" is` };
    if (!can.modifiers && modifiers.length > 0) return { what: '"pressKey" with modifiers is' };
    return holdLack('pressKey', durationMs, can);
  },
});

export const isKey = (text: string): text is Key => known.has(text);
