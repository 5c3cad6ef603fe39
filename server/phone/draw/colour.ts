/** A colour as a word of the framebuffer: red in the lowest byte, alpha in the highest; never premultiplied. */
export type Colour = number;

/** `rgb` as written on the web, 0xRRGGBB; `alpha` from 0 to 1. */
export function colour(rgb: number, alpha = 1): Colour {
  const red = rgb >>> 16;
  const green = (rgb >>> 8) & 0xff;
  const blue = rgb & 0xff;
  return ((Math.round(alpha * 255) << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Alpha of a colour, 0 to 255. */
export function alphaOf(value: Colour): number {
  return value >>> 24;
}

/** The same colour with its alpha multiplied by `factor`, 0 to 1. */
export function faded(value: Colour, factor: number): Colour {
  return ((value & 0xffffff) | (Math.round(alphaOf(value) * factor) << 24)) >>> 0;
}
