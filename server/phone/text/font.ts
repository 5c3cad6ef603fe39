import { drawMask, type Mask } from '../draw/sprite.ts';
import { type FontWeight, typeface } from './typeface.ts';

/** One weight at one size: its glyphs, which Skia draws once, and the metrics to set them in a line. */
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
  /** Advance of the character at `index` with the kerning to the one before it, unless a line starts at `from`. */
  advance(text: string, index: number, from?: number): number;
  /** How far the character at `index` moves towards the one before it. */
  kerning(text: string, index: number): number;
  /** The glyph of a character's code for an origin `fraction` (0 to 1) right of a whole pixel. */
  glyph(code: number, fraction: number): Mask;
}

/** The supported characters; any other is shown as a question mark. */
const CHARACTERS = [...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)), ...'·…→°×–•’“”'];
const QUESTION_MARK = 63;
const FALLBACK = CHARACTERS.indexOf('?');
const RARE = new Map(CHARACTERS.slice(95).map((character, index) => [character.charCodeAt(0), 95 + index]));

function indexOf(code: number): number {
  if (code >= 32 && code < 127) return code - 32;
  return RARE.get(code) ?? FALLBACK;
}

/** A character that Inter lacks is measured as its replacement, since its own width would depend on the machine's fonts. */
const shownCode = (code: number): number => (indexOf(code) === FALLBACK ? QUESTION_MARK : code);

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

function makeFont(weight: FontWeight, size: number): Font {
  const face = typeface(weight);
  const ascent = Math.ceil(size * 1.02);
  const height = ascent + Math.ceil(size * 0.3);
  const padding = 2;
  const steps = size > FINE_SIZE_MAX ? 1 : FINE_STEPS;
  const toPixels = size / 1000;
  const glyphs = drawGlyphs(`${size}px "${face.family}"`, face.advance, { ascent, height, padding, steps, toPixels });
  const kerning = (text: string, index: number, from = 0): number =>
    index > from
      ? face.kerning(shownCode(text.charCodeAt(index - 1)), shownCode(text.charCodeAt(index))) * toPixels
      : 0;
  const advance = (text: string, index: number, from = 0): number =>
    face.advance(shownCode(text.charCodeAt(index))) * toPixels + kerning(text, index, from);
  return {
    size,
    ascent,
    height,
    padding,
    advance,
    kerning,
    width(text) {
      let total = 0;
      for (let index = 0; index < text.length; index++) total += advance(text, index);
      return total;
    },
    glyph(code, fraction) {
      return glyphs[indexOf(code) * steps + Math.floor(fraction * steps)] ?? EMPTY;
    },
  };
}

const EMPTY: Mask = { width: 0, height: 0, coverage: new Uint8Array() };

interface Cell {
  readonly ascent: number;
  readonly height: number;
  readonly padding: number;
  readonly steps: number;
  readonly toPixels: number;
}

/** Draws all glyphs on one canvas and then separates them, since reading back from Skia costs more than drawing. */
function drawGlyphs(family: string, advance: (code: number) => number, cell: Cell): Mask[] {
  const widths = CHARACTERS.map(
    (character) =>
      Math.ceil(advance(character.charCodeAt(0)) * cell.toPixels) + cell.padding * 2 + (cell.steps > 1 ? 1 : 0),
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
