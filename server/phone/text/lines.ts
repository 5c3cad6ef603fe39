import type { Font } from './font.ts';
import { graphemeEnd } from './graphemes.ts';

/** A displayed line. The space or line feed at a break belongs to neither line. */
export interface Line {
  readonly from: number;
  /** Index after the last character. */
  readonly to: number;
}

/** Scripts without spaces between words: a line may end behind each of their characters. */
const IDEOGRAPHIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]$/u;

/**
 * Breaks text at line feeds and, where a line is wider than `width` pixels, at spaces, behind ideographs, or inside a long word.
 */
export function breakLines(text: string, font: Font, width: number): readonly Line[] {
  const lines: Line[] = [];
  let from = 0;
  let used = 0;
  /** Where the line may end, and where the next one would begin then; the same as `from` as long as there is no such place. */
  let place: Line = { from: 0, to: 0 };
  const begin = (index: number) => {
    from = index;
    used = 0;
    place = { from, to: from };
  };
  for (let index = 0; index < text.length; ) {
    const end = graphemeEnd(text, index);
    if (isLineFeed(text, index)) {
      lines.push({ from, to: index });
      begin(end);
      index = end;
      continue;
    }
    if (text.charCodeAt(index) === SPACE) place = { to: index, from: end };
    used += advanceIn(text, index, end, from, font);
    if (used > width && index > from) {
      const breaksAtPlace = place.to > from;
      lines.push({ from, to: breaksAtPlace ? place.to : index });
      const next = breaksAtPlace ? place.from : index;
      begin(next);
      index = next;
      continue;
    }
    if (isIdeographic(text, index, end)) place = { to: end, from: end };
    index = end;
  }
  lines.push({ from, to: text.length });
  return lines;
}

const SPACE = 0x20;
const FIRST_IDEOGRAPHIC = 0x2e80;
const TAB_SPACES = 4;

/** Also of a carriage return and a line feed, which are one cluster. */
const isLineFeed = (text: string, index: number): boolean =>
  text.charCodeAt(index) === 10 || (text.charCodeAt(index) === 13 && text.charCodeAt(index + 1) === 10);

const isIdeographic = (text: string, index: number, end: number): boolean =>
  text.charCodeAt(index) >= FIRST_IDEOGRAPHIC && IDEOGRAPHIC.test(text.slice(index, end));

function advanceIn(text: string, index: number, end: number, from: number, font: Font): number {
  if (text.charAt(index) === '\t') return font.advance(' ', 0, 1) * TAB_SPACES;
  return font.advance(text, index, end, from);
}

/** A line's text as it is drawn, with spaces for tabs. */
export function shownText(text: string): string {
  return text.replaceAll('\t', ' '.repeat(TAB_SPACES));
}

/** Distance of a caret from the left end of its line, in pixels. */
export function caretOffset(text: string, line: Line, caret: number, font: Font): number {
  return font.width(shownText(text.slice(line.from, caret)));
}

/** The position in a line that is nearest to `x` pixels from its left end. */
export function caretAt(text: string, line: Line, x: number, font: Font): number {
  let used = 0;
  for (let index = line.from; index < line.to; ) {
    const end = graphemeEnd(text, index);
    const advance = advanceIn(text, index, end, line.from, font);
    if (x < used + advance / 2) return index;
    used += advance;
    index = end;
  }
  return line.to;
}

/** Index of the line that contains a caret. */
export function lineOf(lines: readonly Line[], caret: number): number {
  const index = lines.findIndex((line, at) => caret <= line.to && (at === lines.length - 1 || caret >= line.from));
  return index < 0 ? lines.length - 1 : index;
}
