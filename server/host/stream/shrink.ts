import sharp, { type Sharp } from 'sharp';
import type { Picture } from '../../device/driver.ts';
import { type Size, sameSize } from './fit.ts';

/**
 * The picture's opaque pixels in the wanted size, for the thread pool to work on. The pixels are copied at the call:
 * the device goes on drawing into its own.
 */
export function shrink({ pixels, width, height }: Picture, size: Size): Sharp {
  const image = sharp(pixels.slice(), { raw: { width, height, channels: 4 } }).removeAlpha();
  if (sameSize({ width, height }, size)) return image;
  return image.resize({ ...size, fit: 'fill', kernel: 'linear' });
}

/** Bytes of an own buffer, whatever memory they were in. */
export const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
