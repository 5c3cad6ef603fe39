import { drawMask, type Mask } from '../draw/sprite.ts';
import { type Drawable, drawableOf, type FontWeight, systemFace, UNITS } from './faces.ts';
import { cellWidth, EMPTY_GLYPH, type GlyphCell } from './glyph-cell.ts';

interface RareGlyph {
  readonly what: Drawable | '' | undefined;
  /** In pixels. */
  readonly advance: number;
  /** Its images by sub-pixel position, as far as they were needed. */
  readonly images: (Mask | undefined)[];
}

/** Glyphs that are kept for one font: a screen shows a few hundred. */
const KEPT_MAX = 1_000;

/** Of a box for what no font has, in shares of the size. */
const BOX = { width: 0.6, height: 0.72, bearing: 0.08, line: 0.06 } as const;

/** Glyphs beyond US ASCII of one weight and size, each drawn when it is first shown. */
export class RareGlyphs {
  readonly #weight: FontWeight;
  readonly #cell: GlyphCell;
  readonly #known = new Map<string, RareGlyph>();

  constructor(weight: FontWeight, cell: GlyphCell) {
    this.#weight = weight;
    this.#cell = cell;
  }

  /** In pixels. */
  advance(cluster: string): number {
    return this.#of(cluster).advance;
  }

  glyph(cluster: string, fraction: number): Mask {
    const { what, advance, images } = this.#of(cluster);
    if (what === '') return EMPTY_GLYPH;
    // Ideographs and emoji are wide enough to look the same everywhere.
    const steps = what?.face === systemFace(this.#weight) ? this.#cell.steps : 1;
    const step = Math.floor(fraction * steps);
    images[step] ??= draw(what, advance, step, steps, this.#cell);
    return images[step];
  }

  #of(cluster: string): RareGlyph {
    const known = this.#known.get(cluster);
    if (known) return known;
    const { size } = this.#cell;
    const what = drawableOf(cluster, this.#weight);
    const box = size * (BOX.width + 2 * BOX.bearing);
    const advance = what === '' ? 0 : what ? (what.face.measure(what.text) * size) / UNITS : box;
    const glyph = { what, advance, images: [] };
    if (this.#known.size >= KEPT_MAX) this.#known.clear();
    this.#known.set(cluster, glyph);
    return glyph;
  }
}

function draw(what: Drawable | undefined, advance: number, step: number, steps: number, cell: GlyphCell): Mask {
  const x = cell.padding + step / steps;
  return drawMask(cellWidth(advance, steps, cell), cell.height, (context) => {
    const { size, ascent } = cell;
    if (what) {
      context.font = `${size}px "${what.face.family}"`;
      context.fillText(what.text, x, ascent);
      return;
    }
    context.lineWidth = Math.max(1, size * BOX.line);
    context.strokeRect(x + size * BOX.bearing, ascent - size * BOX.height, size * BOX.width, size * BOX.height);
  });
}
