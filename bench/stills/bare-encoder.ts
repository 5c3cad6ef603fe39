import sharp from 'sharp';
import { PNG_OPTIONS } from '../../server/host/png.ts';

/** Pixels of one picture as a device gives them: RGBA. */
export interface RawPicture {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export async function rawPicture(png: Uint8Array): Promise<RawPicture> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** The floor of a screenshot: the library that makes it, with the service's settings, and nothing else. */
export function encodeBare({ pixels, width, height }: RawPicture): Promise<Uint8Array> {
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png(PNG_OPTIONS)
    .toBuffer();
}
