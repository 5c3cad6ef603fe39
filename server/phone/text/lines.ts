import type { Font } from './font.ts';

/** A displayed line. The space or line feed at a break belongs to neither line. */
export interface Line {
  readonly from: number;
  /** Index after the last character. */
  readonly to: number;
}

/** Breaks text at line feeds and, where a line is wider than `width` pixels, at spaces or inside a long word. */
export function breakLines(text: string, font: Font, width: number): readonly Line[] {
  const lines: Line[] = [];
  let from = 0;
  let used = 0;
  let space = -1;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '\n') {
      lines.push({ from, to: index });
      from = index + 1;
      used = 0;
      space = -1;
      continue;
    }
    if (character === ' ') space = index;
    used += advanceIn(text, index, from, font);
    if (used <= width || index === from) continue;
    const to = space > from ? space : index;
    lines.push({ from, to });
    from = space > from ? space + 1 : index;
    space = -1;
    used = 0;
    for (let again = from; again <= index; again++) used += advanceIn(text, again, from, font);
  }
  lines.push({ from, to: text.length });
  return lines;
}

const TAB_SPACES = 4;

function advanceIn(text: string, index: number, from: number, font: Font): number {
  if (text.charAt(index) === '\t') return font.advance(' ', 0) * TAB_SPACES;
  return font.advance(text, index, from);
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
  for (let index = line.from; index < line.to; index++) {
    const advance = advanceIn(text, index, line.from, font);
    if (x < used + advance / 2) return index;
    used += advance;
  }
  return line.to;
}

/** Index of the line that contains a caret. */
export function lineOf(lines: readonly Line[], caret: number): number {
  const index = lines.findIndex((line, at) => caret <= line.to && (at === lines.length - 1 || caret >= line.from));
  return index < 0 ? lines.length - 1 : index;
}
