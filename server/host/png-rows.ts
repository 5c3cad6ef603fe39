import type { Picture } from '../device/driver.ts';

/** RGBA, row by row. */
export type Pixels = Pick<Picture, 'pixels' | 'width' | 'height'>;

/** In front of each row: its bytes are as they are. */
const FILTER_NONE = 0;
/** The last pixel of all is written with the byte of its alpha behind it. */
const SPILL_BYTES = 1;

/** Kept for the next picture of this thread: fresh memory for two megabytes costs as much as filling it. */
let kept: ArrayBuffer | undefined;

/**
 * The rows of a PNG file's image data: a filter's byte, then red, green and blue of each pixel. Throws for pixels that
 * are not as many as the size says. Good until they are given back.
 */
export function opaqueRows({ pixels, width, height }: Pixels): Uint8Array {
  if (pixels.length !== width * height * 4)
    throw new Error(`${pixels.length} bytes are no ${width} × ${height} pixels`);
  const length = height * (1 + width * 3);
  const memory = kept?.byteLength === length + SPILL_BYTES ? kept : new ArrayBuffer(length + SPILL_BYTES);
  kept = undefined;
  copyRows(words(pixels), new DataView(memory), width, height);
  return new Uint8Array(memory, 0, length);
}

export function giveRowsBack(rows: Uint8Array): void {
  if (rows.buffer instanceof ArrayBuffer) kept = rows.buffer;
}

/** A pixel in each number, red in the lowest byte. */
function words(pixels: Uint8Array): Uint32Array {
  const { buffer, byteOffset, length } = byteOffsetFits(pixels) ? pixels : pixels.slice();
  return new Uint32Array(buffer, byteOffset, length / 4);
}

const byteOffsetFits = ({ byteOffset }: Uint8Array): boolean => byteOffset % Uint32Array.BYTES_PER_ELEMENT === 0;

/** The size was checked. Four pixels become three words at a time; the rest of a row goes one by one, each over the alpha of the one before. */
function copyRows(pixels: Uint32Array, rows: DataView, width: number, height: number): void {
  let from = 0;
  let to = 0;
  for (let row = 0; row < height; row++) {
    rows.setUint8(to++, FILTER_NONE);
    let column = 0;
    for (; column + 4 <= width; column += 4) {
      const a = pixels[from++] as number;
      const b = pixels[from++] as number;
      const c = pixels[from++] as number;
      const d = pixels[from++] as number;
      rows.setUint32(to, (a & 0xff_ff_ff) | (b << 24), true);
      rows.setUint32(to + 4, ((b >>> 8) & 0xff_ff) | (c << 16), true);
      rows.setUint32(to + 8, ((c >>> 16) & 0xff) | (d << 8), true);
      to += 12;
    }
    for (; column < width; column++) {
      rows.setUint32(to, pixels[from++] as number, true);
      to += 3;
    }
  }
}
