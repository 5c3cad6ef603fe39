import { Type } from '@sinclair/typebox';
import { LIMITS } from '../limits.ts';
import { actionSchema, defineAction } from './action.ts';

export const typeText = defineAction({
  schema: actionSchema('typeText', {
    text: Type.String({
      minLength: LIMITS.textCharacters.min,
      maxLength: LIMITS.textCharacters.max,
      pattern: '^[\\t\\n\\x20-\\x7e]*$',
      words: `${LIMITS.textCharacters.min} to ${LIMITS.textCharacters.max} printable US ASCII characters, tabs or line feeds`,
    }),
  }),
  complete: ({ text }) => ({ action: 'typeText' as const, text }),
});
