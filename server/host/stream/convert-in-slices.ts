import type { Rect } from '../../device/driver.ts';
import { TimeSlice } from '../../flow/time-slice.ts';
import { convertRect, type YuvPlanes } from './rgba-to-yuv.ts';

/** Pixels between two looks at the clock: a tenth of a millisecond. */
const PIECE_PIXELS = 40_000;

/** Converts rectangles in slices of the event loop, small ones at once. The source may change when it settles. */
export async function convertInSlices(
  words: Uint32Array,
  stride: number,
  planes: YuvPlanes,
  rects: readonly Rect[],
): Promise<void> {
  const slice = new TimeSlice();
  for (const [place, piece] of rects.flatMap(bands).entries()) {
    // The first piece is converted at once, also where the system has held up this thread.
    if (place > 0 && slice.over) await slice.next();
    convertRect(words, stride, planes, piece);
  }
}

/** Cuts a rectangle between even rows: two rows share their colour. */
function bands({ x, y, width, height }: Rect): Rect[] {
  const rows = Math.max(2, Math.floor(PIECE_PIXELS / width) & ~1);
  const cut: Rect[] = [];
  for (let top = y & ~1; top < y + height; top += rows) {
    cut.push({ x, y: top, width, height: Math.min(rows, y + height - top) });
  }
  return cut;
}
