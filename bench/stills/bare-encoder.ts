import sharp from 'sharp';
import { PNG_OPTIONS } from '../../server/host/stream/png-encoder.ts';

/** Pixels of one picture as a device delivers them: RGBA. */
export interface RawPicture {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export async function rawPicture(png: Uint8Array): Promise<RawPicture> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** The usual way to encode a screenshot: an image library, with its fastest settings for such pictures. */
export function encodeBare({ pixels, width, height }: RawPicture): Promise<Uint8Array> {
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png(PNG_OPTIONS)
    .toBuffer();
}
