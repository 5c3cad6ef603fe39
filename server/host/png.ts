import sharp from 'sharp';
import type { Picture } from '../device/driver.ts';
import { inFlight } from './in-flight.ts';

/** The screenshot settings that measured fastest at equal pixels: no filters, the lightest compression. */
export const PNG_OPTIONS = { compressionLevel: 1, adaptiveFiltering: false, palette: false } as const;

/** Encodes a picture as PNG on the thread pool. The pixels are handed over as they are at the call. */
export async function encodePng({ pixels, width, height }: Picture): Promise<Uint8Array> {
  const image = sharp(pixels, { raw: { width, height, channels: 4 } });
  return inFlight.track(image.removeAlpha().png(PNG_OPTIONS).toBuffer());
}
