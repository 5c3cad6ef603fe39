import type { ScreenProfile } from '../../link/messages.ts';
import type { PictureEncoder } from './picture-encoder.ts';

/** Creates the encoder of a stream; rejects if this host does not have it. */
export type CreateEncoder = (profile: ScreenProfile) => Promise<PictureEncoder>;

/** Each encoder's library is loaded by the first stream that needs it. */
export async function createEncoder(profile: ScreenProfile): Promise<PictureEncoder> {
  switch (profile.encoding) {
    case 'h264':
      return new (await import('./h264-encoder.ts')).H264Encoder(profile);
    case 'jpeg':
      return new (await import('./jpeg-encoder.ts')).JpegEncoder(profile);
    case 'png':
      return new (await import('./png-encoder.ts')).PngEncoder(profile);
    case 'tiles':
      return new (await import('./tiles-encoder.ts')).TilesEncoder(profile);
  }
}
