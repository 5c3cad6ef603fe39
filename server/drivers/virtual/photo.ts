import sharp, { type Sharp } from 'sharp';
import { DeviceFault } from '../../device/fault.ts';
import type { Sprite } from '../../phone/draw/sprite.ts';
import type { Photo, PhotoSizes } from '../../phone/photos.ts';

/** A larger picture is refused before it is decoded: 64 megapixels are 256 MiB. */
const PIXELS_MAX = 67_108_864;
const DECODE_SECONDS = 20;

/**
 * Decodes a picture on libvips' threads, upright and without transparency, and keeps it no larger than a screen shows it. Rejects
 * with a `DeviceFault` for what cannot be decoded, or is too large to be.
 */
export async function decodePhoto(name: string, picture: string | Buffer, sizes: PhotoSizes): Promise<Photo> {
  const { edge, thumbnail } = sizes;
  try {
    const { data, info } = await sharp(picture, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
      .timeout({ seconds: DECODE_SECONDS })
      .rotate()
      .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    return {
      name,
      width,
      height,
      thumbnail: await spriteOf(sharp(data).resize({ width: thumbnail, height: thumbnail, fit: 'cover' })),
      fitting: (room) => {
        const fitted = { width: Math.max(1, room.width), height: Math.max(1, room.height) };
        return spriteOf(sharp(data).resize({ ...fitted, fit: 'inside', withoutEnlargement: true }));
      },
    };
  } catch {
    throw new DeviceFault('failed', `The picture cannot be decoded, or has more than ${PIXELS_MAX} pixels.`);
  }
}

async function spriteOf(picture: Sharp): Promise<Sprite> {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  // In memory of its own, which begins where a word does.
  return { width, height, words: new Uint32Array(Uint8Array.from(data).buffer), opaqueFrom: 0, opaqueTo: height };
}
