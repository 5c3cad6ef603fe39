import { drawMask, type Mask } from '../draw/sprite.ts';
import { type FontWeight, UNITS } from './faces.ts';
import { cellWidth, EMPTY_GLYPH, type GlyphCell } from './glyph-cell.ts';
import { graphemeEnd } from './graphemes.ts';
import { RareGlyphs } from './rare-glyphs.ts';
import { typeface } from './typeface.ts';

/**
 * One weight at one size: its glyphs, which Skia draws once, and the metrics to set them in a line. A glyph stands for a grapheme
 * cluster, which the methods take as its place in a text, from `index` to `end`.
 */
export interface Font {
  readonly size: number;
  /** From the top of a glyph's cell to the baseline, in pixels. */
  readonly ascent: number;
  /** Height of a glyph's cell in pixels. */
  readonly height: number;
  /** Pixels that a cell reaches out on the left of its glyph's origin. */
  readonly padding: number;
  /** Distance from the origin of `text` to what follows it, in fractions of a pixel. */
  width(text: string): number;
  /** Advance of a cluster with the kerning to the character before it, unless a line starts at `from`. */
  advance(text: string, index: number, end: number, from?: number): number;
  /** How far the character at `index` moves towards the one before it. */
  kerning(text: string, index: number): number;
  /** The glyph of a cluster for an origin `fraction` (0 to 1) right of a whole pixel. */
  glyph(text: string, index: number, end: number, fraction: number): Mask;
}

const FIRST = 32;
const CHARACTERS = Array.from({ length: 95 }, (_, index) => String.fromCharCode(FIRST + index));

/** Larger glyphs look the same at any sub-pixel position, so one image of each is enough. */
const FINE_SIZE_MAX = 36;
const FINE_STEPS = 4;

const fonts = new Map<string, Font>();

/** The font of a weight and size in pixels; shared by all phones of the thread. */
export function font(weight: FontWeight, size: number): Font {
  const key = `${weight}/${size}`;
  const known = fonts.get(key);
  if (known) return known;
  const made = makeFont(weight, size);
  fonts.set(key, made);
  return made;
}

/** True for a cluster that is one printable character of US ASCII. */
const isCommon = (code: number, length: number): boolean => length === 1 && code >= FIRST && code < 127;

function makeFont(weight: FontWeight, size: number): Font {
  const face = typeface(weight);
  const ascent = Math.ceil(size * 1.02);
  const height = ascent + Math.ceil(size * 0.3);
  const cell = { size, ascent, height, padding: 2, steps: size > FINE_SIZE_MAX ? 1 : FINE_STEPS };
  const toPixels = size / UNITS;
  const glyphs = drawGlyphs(`${size}px "${face.family}"`, face.advance, cell);
  const rare = new RareGlyphs(weight, cell);
  const kerning = (text: string, index: number, from = 0): number =>
    index > from ? face.kerning(text.charCodeAt(index - 1), text.charCodeAt(index)) * toPixels : 0;
  const advance = (text: string, index: number, end: number, from = 0): number => {
    const code = text.charCodeAt(index);
    if (isCommon(code, end - index)) return face.advance(code) * toPixels + kerning(text, index, from);
    return rare.advance(text.slice(index, end));
  };
  return {
    size,
    ascent,
    height,
    padding: cell.padding,
    advance,
    kerning,
    width(text) {
      let total = 0;
      for (let at = 0; at < text.length; ) {
        const end = graphemeEnd(text, at);
        total += advance(text, at, end);
        at = end;
      }
      return total;
    },
    glyph(text, index, end, fraction) {
      const code = text.charCodeAt(index);
      if (!isCommon(code, end - index)) return rare.glyph(text.slice(index, end), fraction);
      return glyphs[(code - FIRST) * cell.steps + Math.floor(fraction * cell.steps)] ?? EMPTY_GLYPH;
    },
  };
}

/** Draws all glyphs of US ASCII on one canvas and then separates them, since reading back from Skia costs more than drawing. */
function drawGlyphs(family: string, advance: (code: number) => number, cell: GlyphCell): Mask[] {
  const widths = CHARACTERS.map((character) =>
    cellWidth((advance(character.charCodeAt(0)) * cell.size) / UNITS, cell.steps, cell),
  );
  const sheetWidth = Math.max(...widths) * cell.steps;
  const sheet = drawMask(sheetWidth, cell.height * CHARACTERS.length, (context) => {
    context.font = family;
    CHARACTERS.forEach((character, index) => {
      for (let step = 0; step < cell.steps; step++) {
        const x = (widths[index] ?? 0) * step + cell.padding + step / cell.steps;
        context.fillText(character, x, index * cell.height + cell.ascent);
      }
    });
  });
  return CHARACTERS.flatMap((_, index) =>
    Array.from({ length: cell.steps }, (_, step) => {
      const width = widths[index] ?? 0;
      const coverage = new Uint8Array(width * cell.height);
      for (let row = 0; row < cell.height; row++) {
        const from = (index * cell.height + row) * sheetWidth + width * step;
        coverage.set(sheet.coverage.subarray(from, from + width), row * width);
      }
      return { width, height: cell.height, coverage };
    }),
  );
}
