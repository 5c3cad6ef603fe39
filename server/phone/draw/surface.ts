/** Pixels to draw on: RGBA bytes, and the same memory as little-endian words. */
export class Surface {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly words: Uint32Array;

  /** @param memory at least `width * height` words to draw into */
  constructor(width: number, height: number, memory: Uint32Array = new Uint32Array(width * height)) {
    this.width = width;
    this.height = height;
    this.words = memory;
    this.pixels = new Uint8Array(memory.buffer, memory.byteOffset, width * height * 4);
  }
}

/** The part of a surface that may be drawn on; `right` and `bottom` are exclusive. */
export interface Clip {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const OPAQUE = 0xff000000;
const RED_BLUE = 0xff00ff;
const GREEN = 0xff00;
const SHORT_SPAN = 24;

/** Converts an alpha of 0 to 255 to a factor of 0 to 256, so that a shift can replace the division. */
export function weight(alpha: number): number {
  return alpha + (alpha >> 7);
}

/** Blends `colour` over one word; `alpha` is 0 to 256. */
export function blend(below: number, colour: number, alpha: number): number {
  const rest = 256 - alpha;
  const redBlue = (Math.imul(below & RED_BLUE, rest) + Math.imul(colour & RED_BLUE, alpha)) >>> 8;
  const green = (Math.imul(below & GREEN, rest) + Math.imul(colour & GREEN, alpha)) >>> 8;
  return OPAQUE | (redBlue & RED_BLUE) | (green & GREEN);
}

/** Blends a premultiplied word over one word. */
export function blendOver(below: number, over: number): number {
  const rest = 256 - weight(over >>> 24);
  const redBlue = (Math.imul(below & RED_BLUE, rest) >>> 8) & RED_BLUE;
  const green = (Math.imul(below & GREEN, rest) >>> 8) & GREEN;
  return OPAQUE | ((over & 0xffffff) + redBlue + green);
}

/** Fills pixels of one row from `from` up to `to`. */
export function fillSpan(words: Uint32Array, from: number, to: number, colour: number): void {
  if (to <= from) return;
  const alpha = weight(colour >>> 24);
  if (alpha === 256) {
    // For a few words a loop is faster than the call of the built-in fill.
    if (to - from > SHORT_SPAN) words.fill(colour, from, to);
    else for (let index = from; index < to; index++) words[index] = colour;
    return;
  }
  for (let index = from; index < to; index++) words[index] = blend(words[index] ?? 0, colour, alpha);
}
