import sharp, { type Sharp } from 'sharp';
import type { Picture } from '../../device/driver.ts';
import { type Size, sameSize } from './fit.ts';

/** The picture's opaque pixels in the wanted size, for the thread pool to work on: they must not change until it has ended. */
export function shrink({ pixels, width, height }: Picture, size: Size): Sharp {
  const image = sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();
  if (sameSize({ width, height }, size)) return image;
  return image.resize({ ...size, fit: 'fill', kernel: 'linear' });
}

/** Bytes of an own buffer, whatever memory they were in. */
export const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
