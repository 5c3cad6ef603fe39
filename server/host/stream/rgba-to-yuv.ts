import type { Rect } from '../../device/driver.ts';

/** A 4:2:0 picture of full range, BT.709. Its size is even. */
export interface YuvPlanes {
  readonly width: number;
  readonly height: number;
  readonly y: Uint8Array;
  readonly u: Uint8Array;
  readonly v: Uint8Array;
  /** Samples from one row to the next. */
  readonly lumaStride: number;
  readonly chromaStride: number;
}

/** Weights with 16 bits after the point; each row adds up exactly, so that grey stays grey. */
const POINT = 16;
const fixed = (value: number): number => Math.round(value * 2 ** POINT);
const Y_RED = fixed(0.2126);
const Y_BLUE = fixed(0.0722);
const Y_GREEN = 2 ** POINT - Y_RED - Y_BLUE;
const U_RED = fixed(-0.2126 / 1.8556);
const U_BLUE = fixed(0.5);
const U_GREEN = -U_RED - U_BLUE;
const V_RED = fixed(0.5);
const V_BLUE = fixed(-0.0722 / 1.5748);
const V_GREEN = -V_RED - V_BLUE;
const Y_HALF = 1 << (POINT - 1);
/** Colour is the sum of four pixels. It is rounded down, as FFmpeg's scaler does, so that the two give one picture. */
const C_POINT = POINT + 2;
const C_MIDDLE = 128 << C_POINT;

/**
 * Converts a rectangle, grown to even edges, from little-endian RGBA words to the planes. What a rectangle gives does not
 * depend on what else is converted. Integers only: 2.5 ns a pixel.
 */
export function convertRect(words: Uint32Array, stride: number, planes: YuvPlanes, rect: Rect): void {
  const { y, u, v, lumaStride, chromaStride } = planes;
  const left = Math.max(0, rect.x) & ~1;
  const top = Math.max(0, rect.y) & ~1;
  const right = Math.min(planes.width, rect.x + rect.width);
  const bottom = Math.min(planes.height, rect.y + rect.height);
  for (let row = top; row < bottom; row += 2) {
    let upper = row * stride + left;
    let lower = upper + stride;
    let upperLuma = row * lumaStride + left;
    let lowerLuma = upperLuma + lumaStride;
    let chroma = (row >> 1) * chromaStride + (left >> 1);
    for (let column = left; column < right; column += 2) {
      const a = words[upper] ?? 0;
      const b = words[upper + 1] ?? 0;
      const c = words[lower] ?? 0;
      const d = words[lower + 1] ?? 0;
      y[upperLuma] = luma(a);
      y[upperLuma + 1] = luma(b);
      y[lowerLuma] = luma(c);
      y[lowerLuma + 1] = luma(d);
      const redBlue = (a & 0xff00ff) + (b & 0xff00ff) + (c & 0xff00ff) + (d & 0xff00ff);
      const red = redBlue & 0xffff;
      const green = ((a >>> 8) & 255) + ((b >>> 8) & 255) + ((c >>> 8) & 255) + ((d >>> 8) & 255);
      const blue = redBlue >>> 16;
      u[chroma] = (U_RED * red + U_GREEN * green + U_BLUE * blue + C_MIDDLE) >> C_POINT;
      v[chroma] = (V_RED * red + V_GREEN * green + V_BLUE * blue + C_MIDDLE) >> C_POINT;
      upper += 2;
      lower += 2;
      upperLuma += 2;
      lowerLuma += 2;
      chroma++;
    }
  }
}

const luma = (word: number): number =>
  (Y_RED * (word & 255) + Y_GREEN * ((word >>> 8) & 255) + Y_BLUE * ((word >>> 16) & 255) + Y_HALF) >> POINT;
