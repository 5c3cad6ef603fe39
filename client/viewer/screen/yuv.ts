/** YUV 4:2:0 pictures to RGBA, on the CPU: full range, BT.709, as the server's encoder describes its streams. */

/** Fixed-point arithmetic with 16 bits after the point. */
const POINT = 16;
const fixed = (value: number): number => Math.round(value * 2 ** POINT);
const RED_V = fixed(1.5748);
const GREEN_U = fixed(-0.187324);
const GREEN_V = fixed(-0.468124);
const BLUE_U = fixed(1.8556);
const HALF = 1 << (POINT - 1);

/**
 * @param yuv the planes Y, U and V without gaps, `codedWidth` × `codedHeight`
 * @param width of the part at the top left that is shown; at most the coded width
 */
export function rgbaOf(
  yuv: Uint8Array,
  codedWidth: number,
  codedHeight: number,
  width: number,
  height: number,
): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(width * height * 4);
  const uStart = codedWidth * codedHeight;
  const vStart = uStart + uStart / 4;
  const chromaWidth = codedWidth / 2;
  let target = 0;
  for (let row = 0; row < height; row += 1) {
    const luma = row * codedWidth;
    const chroma = (row >> 1) * chromaWidth;
    for (let column = 0; column < width; column += 1) {
      const y = ((yuv[luma + column] ?? 0) << POINT) + HALF;
      const u = (yuv[uStart + chroma + (column >> 1)] ?? 128) - 128;
      const v = (yuv[vStart + chroma + (column >> 1)] ?? 128) - 128;
      rgba[target] = (y + RED_V * v) >> POINT;
      rgba[target + 1] = (y + GREEN_U * u + GREEN_V * v) >> POINT;
      rgba[target + 2] = (y + BLUE_U * u) >> POINT;
      rgba[target + 3] = 255;
      target += 4;
    }
  }
  return rgba;
}
