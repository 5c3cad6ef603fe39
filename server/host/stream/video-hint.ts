import type { Rect } from '../../device/driver.ts';

/** FFmpeg's `AVVideoHint` on 64-bit machines: three sizes and a type, then `AVVideoRect`s of four u32 each. */
const HEADER_BYTES = 32;
const RECT_BYTES = 16;
const TYPE_CHANGED = 1;

export const videoHintBytes = (rects: readonly Rect[]): number => HEADER_BYTES + RECT_BYTES * rects.length;

/**
 * Writes side data of a frame that says: nothing but these rectangles differs from the frame before. x264 then skips the
 * other macroblocks without looking for where they may have moved (libavutil/video_hint.h).
 */
export function writeVideoHint(target: Uint8Array, rects: readonly Rect[]): void {
  const view = new DataView(target.buffer, target.byteOffset, target.byteLength);
  view.setBigUint64(0, BigInt(rects.length), true);
  view.setBigUint64(8, BigInt(HEADER_BYTES), true);
  view.setBigUint64(16, BigInt(RECT_BYTES), true);
  view.setUint32(24, TYPE_CHANGED, true);
  view.setUint32(28, 0, true);
  for (const [index, { x, y, width, height }] of rects.entries()) {
    const at = HEADER_BYTES + RECT_BYTES * index;
    view.setUint32(at, x, true);
    view.setUint32(at + 4, y, true);
    view.setUint32(at + 8, width, true);
    view.setUint32(at + 12, height, true);
  }
}
