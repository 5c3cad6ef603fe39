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
/** The same channels, multiplied by 256. */
const RED_BLUE_HIGH = 0xff00ff00;
const GREEN_HIGH = 0xff0000;
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
  const rest = 256 - alpha;
  // The colour's part of the sum of `blend` is the same for all pixels.
  const redBlueOver = Math.imul(colour & RED_BLUE, alpha);
  const greenOver = Math.imul(colour & GREEN, alpha);
  for (let index = from; index < to; index++) {
    const below = words[index] as number;
    const redBlue = (Math.imul(below & RED_BLUE, rest) + redBlueOver) >>> 8;
    const green = (Math.imul(below & GREEN, rest) + greenOver) >>> 8;
    words[index] = OPAQUE | (redBlue & RED_BLUE) | (green & GREEN);
  }
}

/** Blends premultiplied words over as many others, all with one strength, 0 to 256. */
export function mixSpan(words: Uint32Array, over: Uint32Array, strength: number): void {
  for (let index = 0; index < words.length; index++) {
    const word = over[index] as number;
    const alpha = word >>> 24;
    if (alpha === 0) continue;
    const rest = 256 - weight(Math.imul(alpha, strength) >>> 8);
    words[index] = mix(words[index] as number, word, strength, rest);
  }
}

/** The same of words that are opaque: three quarters of the time. */
export function mixOpaqueSpan(words: Uint32Array, over: Uint32Array, strength: number): void {
  const rest = 256 - weight(Math.imul(255, strength) >>> 8);
  for (let index = 0; index < words.length; index++) {
    words[index] = mix(words[index] as number, over[index] as number, strength, rest);
  }
}

/** Both words multiplied by a factor of 0 to 256 and added. The sum of the factors lets no channel overflow. */
function mix(below: number, over: number, strength: number, rest: number): number {
  const redBlue =
    (Math.imul(over & RED_BLUE, strength) & RED_BLUE_HIGH) + (Math.imul(below & RED_BLUE, rest) & RED_BLUE_HIGH);
  const green = (Math.imul(over & GREEN, strength) & GREEN_HIGH) + (Math.imul(below & GREEN, rest) & GREEN_HIGH);
  return OPAQUE | (redBlue >>> 8) | (green >>> 8);
}
