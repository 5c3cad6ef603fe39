import { Help } from 'commander';
import { visible } from '../visible.ts';

/** Text in the columns of a terminal, where characters of East Asia and emoji take two. */

const WIDE =
  /^(?:\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|(?![\uff61-\uff9f])\p{Script=Katakana}|\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])/u;
const ASCII = /^[\x20-\x7e]*$/;

let segmenter: Intl.Segmenter | undefined;

function charactersOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en');
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

const columnsOf = (character: string): number => (WIDE.test(character) ? 2 : 1);

/** Columns that a text of visible characters takes. */
export const widthOf = (text: string): number =>
  ASCII.test(text) ? text.length : charactersOf(text).reduce((sum, character) => sum + columnsOf(character), 0);

/** A text in at most `columns`, with an ellipsis where it is cut. */
export function clipped(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let left = columns - 1;
  for (const character of charactersOf(text)) {
    left -= columnsOf(character);
    if (left < 0) break;
    kept += character;
  }
  return `${kept}…`;
}

/** With spaces up to a column. */
export const padded = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - widthOf(text)));

class Wrapper extends Help {
  override minWidthToWrap = 10;

  override displayWidth(text: string): number {
    return widthOf(text);
  }
}

/**
 * A text in lines of at most `columns`, broken at spaces; a longer word, such as an address, stays whole. Line breaks of the
 * text itself are made visible: it may be a service's.
 */
export const wrapped = (text: string, columns: number): string[] =>
  new Wrapper().boxWrap(visible(text), columns).split('\n');
