import sharp from 'sharp';
import { isApplePng, readApplePng } from './apple-png.ts';

/** Pictures of icons as packages have them; bigger ones are not for launchers. */
export const ICON_FILE_BYTES_MAX = 8 * 2 ** 20;
const ICON_PIXELS_MAX = 4_096 * 4_096;
/** Edge of what is kept, in pixels: the largest that a home screen draws, twice over. */
const ICON_EDGE = 192;

/** The library would also draw SVG, and fetch what that names, whatever the file is called. */
function isRaster(file: Buffer): boolean {
  const at = (offset: number, text: string) => file.toString('latin1', offset, offset + text.length) === text;
  return at(0, '\x89PNG\r\n') || at(0, '\xff\xd8\xff') || (at(0, 'RIFF') && at(8, 'WEBP'));
}

/** Lets the library read no other kinds of pictures, whatever is found in a file. For a process that reads nothing else. */
export function forgetOtherPictures(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] });
  sharp.cache(false);
}

/** The first of the pictures that can be read, as a small PNG of our own making; `undefined` when none can. */
export async function largestIcon(files: Iterable<Buffer>): Promise<Uint8Array | undefined> {
  for (const file of files) {
    if (!isRaster(file)) continue;
    try {
      const options = { limitInputPixels: ICON_PIXELS_MAX, failOn: 'error' } as const;
      const apple = isApplePng(file) ? readApplePng(file, ICON_PIXELS_MAX) : undefined;
      const picture = apple
        ? sharp(apple.pixels, { ...options, raw: { width: apple.width, height: apple.height, channels: 4 } })
        : sharp(file, options);
      const png = await picture
        .resize(ICON_EDGE, ICON_EDGE, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
        .png()
        .toBuffer();
      return new Uint8Array(png);
    } catch {
      // An app whose picture is broken is an app all the same; the next picture may be better.
    }
  }
  return undefined;
}
