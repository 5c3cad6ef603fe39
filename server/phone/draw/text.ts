import type { Font } from '../text/font.ts';
import { graphemeEnd } from '../text/graphemes.ts';
import type { Command } from './command.ts';
import { fillMask } from './copies.ts';
import type { Clip, Surface } from './surface.ts';

const SPACE = 32;

/** Draws a line of text; (x, y) is the top left corner of the first glyph's cell, excluding its padding. */
export function fillText(surface: Surface, clip: Clip, command: Command): void {
  const font = command.content as Font;
  const { text, colour } = command;
  let pen = command.x + font.padding;
  for (let index = 0; index < text.length; ) {
    const end = graphemeEnd(text, index);
    const start = pen + font.kerning(text, index);
    const whole = Math.floor(start);
    if (whole - font.padding >= clip.right) break;
    if (text.charCodeAt(index) !== SPACE && whole + font.size * 2 > clip.left) {
      fillMask(surface, clip, font.glyph(text, index, end, start - whole), whole - font.padding, command.y, colour);
    }
    pen += font.advance(text, index, end);
    index = end;
  }
}

/** The x from which on two lines of text may differ that begin at the same place in the same way; `undefined` of other commands. */
export function differsFrom(a: Command, b: Command): number | undefined {
  const isSameLine =
    a.kind === 'text' &&
    b.kind === 'text' &&
    a.content === b.content &&
    a.x === b.x &&
    a.y === b.y &&
    a.colour === b.colour &&
    a.amount === b.amount &&
    a.top === b.top &&
    a.bottom === b.bottom &&
    a.left === b.left;
  if (!isSameLine) return undefined;
  const font = a.content as Font;
  let pen = a.x + font.padding;
  let index = 0;
  while (index < a.text.length && index < b.text.length) {
    const end = graphemeEnd(a.text, index);
    if (end !== graphemeEnd(b.text, index) || a.text.slice(index, end) !== b.text.slice(index, end)) break;
    pen += font.advance(a.text, index, end);
    index = end;
  }
  // Kerning moves a glyph towards the one before it, or away from it.
  const starts = [a.text, b.text].map((text) => (index < text.length ? pen + font.kerning(text, index) : pen));
  return Math.floor(Math.min(...starts)) - font.padding;
}
