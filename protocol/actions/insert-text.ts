import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import { unicodeText } from '../unicode-text.ts';
import { defineAction } from './define-action.ts';

const { min, max } = ACTION_LIMITS.textCharacters;
const inserted = unicodeText('text', { min, max }, 'inserted at the caret as a whole or not at all');

export const insertText = defineAction({
  name: 'insertText',
  summary: 'Insert text in any language',
  fields: { text: inserted.schema },
  result: { characterCount: Type.Integer({ minimum: min, maximum: max }) },
  rules: ({ text }) => inserted.faultOf(text),
  long: true,
  call: (text: string) => ({ text }),
  command: {
    name: 'insert',
    examples: ['insert "Grüße 你好 😀"'],
    arguments: [{ name: 'text', words: '1 to 10,000 Unicode characters' }],
  },
});
