import type { Font } from './font.ts';

/** The text if it fits into `width` pixels, otherwise as much of its beginning as fits, followed by an ellipsis. */
export function fit(text: string, font: Font, width: number): string {
  if (font.width(text) <= width) return text;
  const room = width - font.width('…');
  let used = 0;
  let count = 0;
  while (count < text.length) {
    used += font.advance(text, count);
    if (used > room) break;
    count++;
  }
  return `${text.slice(0, count).trimEnd()}…`;
}

/** The text if it fits into `width` pixels, otherwise as much of its end as fits, after an ellipsis. */
export function fitEnd(text: string, font: Font, width: number): string {
  if (font.width(text) <= width) return text;
  const room = width - font.width('…');
  let used = 0;
  let from = text.length;
  while (from > 0) {
    used += font.advance(text, from - 1);
    if (used > room) break;
    from--;
  }
  return `…${text.slice(from)}`;
}
