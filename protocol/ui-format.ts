import { oneOf } from './compile-check.ts';

/** The forms in which what is on the screen is told. */
export const UI_FORMATS = ['json', 'outline'] as const;
export type UiFormat = (typeof UI_FORMATS)[number];

export const UiFormatField = oneOf(UI_FORMATS, {
  description:
    '`json`: the whole tree. `outline`: the elements that can be used or read, as lines of text, 20 KB at most',
  examples: ['outline'],
});
