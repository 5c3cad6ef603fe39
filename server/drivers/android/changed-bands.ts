import type { Rect } from '../../device/driver.ts';

/** Rows that are compared at once. Fewer find a change more exactly, and cost more calls. */
const BAND_ROWS = 32;
const BYTES_PER_PIXEL = 4;

/** Where two RGBA pictures of one size differ: bands of their whole width, from the top, none of which touch. */
export function changedBands(before: Uint8Array, after: Uint8Array, width: number, height: number): Rect[] {
  const bands: { x: number; y: number; width: number; height: number }[] = [];
  const rowBytes = width * BYTES_PER_PIXEL;
  const [one, other] = [asBuffer(before), asBuffer(after)];
  for (let y = 0; y < height; y += BAND_ROWS) {
    const rows = Math.min(BAND_ROWS, height - y);
    const [from, to] = [y * rowBytes, (y + rows) * rowBytes];
    if (one.compare(other, from, to, from, to) === 0) continue;
    const last = bands.at(-1);
    if (last && last.y + last.height === y) last.height += rows;
    else bands.push({ x: 0, y, width, height: rows });
  }
  return bands;
}

const asBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);
