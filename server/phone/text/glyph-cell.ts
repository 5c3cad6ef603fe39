import type { Mask } from '../draw/sprite.ts';

/** The form that all glyphs of a font have, in pixels. */
export interface GlyphCell {
  readonly size: number;
  /** From the top to the baseline. */
  readonly ascent: number;
  readonly height: number;
  /** On the left of the origin, and behind the advance. */
  readonly padding: number;
  /** Images of one glyph at sub-pixel positions. */
  readonly steps: number;
}

/** Width for a glyph with this advance, wherever its origin lies in a pixel. */
export const cellWidth = (advance: number, steps: number, { padding }: GlyphCell): number =>
  Math.ceil(advance) + padding * 2 + (steps > 1 ? 1 : 0);

export const EMPTY_GLYPH: Mask = { width: 0, height: 0, coverage: new Uint8Array() };
