import type { Font } from './font.ts';
import { graphemeBefore, graphemeEnd } from './graphemes.ts';

/** The text if it fits into `width` pixels, otherwise as much of its beginning as fits, followed by an ellipsis. */
export function fit(text: string, font: Font, width: number): string {
  if (font.width(text) <= width) return text;
  let room = width - font.width('…');
  let count = 0;
  while (count < text.length) {
    const end = graphemeEnd(text, count);
    room -= font.advance(text, count, end);
    if (room < 0) break;
    count = end;
  }
  return `${text.slice(0, count).trimEnd()}…`;
}

/** The text if it fits into `width` pixels, otherwise as much of its end as fits, after an ellipsis. */
export function fitEnd(text: string, font: Font, width: number): string {
  if (font.width(text) <= width) return text;
  let room = width - font.width('…');
  let from = text.length;
  while (from > 0) {
    const start = graphemeBefore(text, from);
    room -= font.advance(text, start, from);
    if (room < 0) break;
    from = start;
  }
  return `…${text.slice(from)}`;
}
