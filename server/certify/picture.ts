import sharp from 'sharp';
import type { RgbPicture } from '../test-card/read-card.ts';

/** Long edge of a picture that is kept as evidence, in pixels. */
const EVIDENCE_EDGE = 640;

/** Decodes a PNG or a JPEG. */
export async function decodePicture(encoded: Uint8Array): Promise<RgbPicture> {
  const { data, info } = await sharp(encoded)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

/** A JPEG that is small enough to be kept for each row. */
export function evidenceOf({ width, height, pixels }: RgbPicture): Promise<Uint8Array> {
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .resize({ width: EVIDENCE_EDGE, height: EVIDENCE_EDGE, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 72 })
    .toBuffer();
}

/** The picture, stretched to the size of another one. */
export async function resized(
  picture: RgbPicture,
  { width, height }: Pick<RgbPicture, 'width' | 'height'>,
): Promise<RgbPicture> {
  if (picture.width === width && picture.height === height) return picture;
  const raw = { width: picture.width, height: picture.height, channels: 3 } as const;
  const pixels = await sharp(picture.pixels, { raw }).resize({ width, height, fit: 'fill' }).raw().toBuffer();
  return { width, height, pixels };
}

/** Mean difference of two pictures of one size, in steps of 255. */
export function meanDifference(one: RgbPicture, other: RgbPicture): number {
  let sum = 0;
  for (let at = 0; at < one.pixels.length; at++) sum += Math.abs((one.pixels[at] ?? 0) - (other.pixels[at] ?? 0));
  return sum / Math.max(1, one.pixels.length);
}

/** Share of the pixels that clearly differ; 1 for pictures of different sizes. */
export function changedShare(one: RgbPicture, other: RgbPicture): number {
  if (one.width !== other.width || one.height !== other.height) return 1;
  let changed = 0;
  for (let at = 1; at < one.pixels.length; at += 3) {
    if (Math.abs((one.pixels[at] ?? 0) - (other.pixels[at] ?? 0)) > 24) changed++;
  }
  return changed / (one.width * one.height);
}
