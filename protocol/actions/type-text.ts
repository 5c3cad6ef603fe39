import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import { defineAction } from './define-action.ts';
import { FOUND_INTO, freshInto, INTO, intoFault, intoLack } from './into.ts';

const WORDS = `${ACTION_LIMITS.textCharacters.min} to ${ACTION_LIMITS.textCharacters.max} printable US ASCII characters, tabs or line feeds`;

export const typeText = defineAction({
  name: 'typeText',
  summary: 'Type text',
  fields: {
    text: Type.String({
      minLength: ACTION_LIMITS.textCharacters.min,
      maxLength: ACTION_LIMITS.textCharacters.max,
      pattern: '^[\\t\\n\\x20-\\x7e]*$',
      words: WORDS,
      description: WORDS,
      examples: ['Hello'],
    }),
    ...INTO,
  },
  result: { characterCount: Type.Integer({ minimum: 1, maximum: ACTION_LIMITS.textCharacters.max }), ...FOUND_INTO },
  example: { text: 'Hello' },
  rules: intoFault,
  complete: ({ text, ...into }, timeoutMs) => ({ text, ...freshInto(into, timeoutMs) }),
  lack: intoLack,
  long: true,
});
