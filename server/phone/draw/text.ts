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
