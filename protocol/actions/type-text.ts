import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import { defineAction } from './define-action.ts';

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
  },
  result: { characterCount: Type.Integer({ minimum: 1, maximum: ACTION_LIMITS.textCharacters.max }) },
  long: true,
  call: (text: string) => ({ text }),
  command: {
    name: 'type',
    examples: ['type "Hello from the command line"'],
    arguments: [{ name: 'text', words: '1 to 10,000 printable US ASCII characters, tabs or line feeds' }],
  },
});
