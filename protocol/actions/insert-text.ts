import { Type } from '@sinclair/typebox';
import { characterCount, isWellFormed } from '../characters.ts';
import { fault } from '../fault.ts';
import { LIMITS } from '../limits.ts';
import { defineAction } from './define-action.ts';

const { min, max } = LIMITS.textCharacters;
const WORDS = `${min} to ${max} Unicode characters, without lone surrogates`;

/** A character takes two UTF-16 units at most. */
const UNITS_MAX = 2 * max;
const isAllowed = (text: string): boolean => isWellFormed(text) && characterCount(text) <= max;

export const insertText = defineAction({
  name: 'insertText',
  summary: 'Insert text in any language',
  fields: {
    text: Type.String({
      minLength: min,
      // Counted in UTF-16 units by those who check schemas here, and in characters by others.
      maxLength: UNITS_MAX,
      words: WORDS,
      description: `${WORDS}; inserted at the caret as a whole or not at all`,
      examples: ['Grüße 你好 😀'],
    }),
  },
  result: { characterCount: Type.Integer({ minimum: min, maximum: max }) },
  rules: ({ text }) => (isAllowed(text) ? undefined : fault('text', `must be ${WORDS}`)),
  long: true,
  call: (text: string) => ({ text }),
  command: {
    name: 'insert',
    examples: ['insert "Grüße 你好 😀"'],
    arguments: [{ name: 'text', words: '1 to 10,000 Unicode characters' }],
  },
});
