import type { Font } from '../text/font.ts';
import type { Command } from './command.ts';
import { fillMask } from './copies.ts';
import type { Clip, Surface } from './surface.ts';

/** Draws a line of text: (x, y) is the top left corner of the first glyph's cell without its padding. */
export function fillText(surface: Surface, clip: Clip, command: Command): void {
  const font = command.content as Font;
  const { text, colour } = command;
  let pen = command.x + font.padding;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    const advance = font.advance(character, index === 0 ? '' : text.charAt(index - 1));
    if (character !== ' ') {
      const whole = Math.floor(pen);
      fillMask(surface, clip, font.glyph(character, pen - whole), whole - font.padding, command.y, colour);
    }
    pen += advance;
    if (pen - font.padding > clip.right) break;
  }
}
