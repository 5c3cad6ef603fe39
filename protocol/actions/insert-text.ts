import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import { unicodeText } from '../unicode-text.ts';
import { defineAction } from './define-action.ts';
import { FOUND_INTO, freshInto, INTO, intoFault, intoLack } from './into.ts';

const { min, max } = ACTION_LIMITS.textCharacters;
const inserted = unicodeText('text', { min, max }, 'inserted at the caret as a whole or not at all');

export const insertText = defineAction({
  name: 'insertText',
  summary: 'Insert text in any language',
  example: { text: '你好' },
  fields: { text: inserted.schema, ...INTO },
  result: { characterCount: Type.Integer({ minimum: min, maximum: max }), ...FOUND_INTO },
  rules: ({ text, ...into }, timeoutMs) => inserted.faultOf(text) ?? intoFault(into, timeoutMs),
  complete: ({ text, ...into }, timeoutMs) => ({ text, ...freshInto(into, timeoutMs) }),
  lack: intoLack,
  long: true,
});
