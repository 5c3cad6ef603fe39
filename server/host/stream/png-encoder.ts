import type { Picture } from '../../device/driver.ts';
import type { ScreenProfile } from '../../link/messages.ts';
import { payloadOf } from '../../link/packet-memory.ts';
import { inFlight } from '../in-flight.ts';
import { fit } from './fit.ts';
import type { EncodedPicture, PictureEncoder } from './picture-encoder.ts';
import { shrink } from './shrink.ts';
import { spareMemory } from './spare-memory.ts';

/** The fastest lossless settings of the image library: no filters, lowest compression. */
export const PNG_OPTIONS = { compressionLevel: 1, adaptiveFiltering: false, palette: false } as const;

/** Lossless pictures, for pixel comparison. Encoded on the thread pool; `quality` is ignored. */
export class PngEncoder implements PictureEncoder {
  readonly repeatsCheaply = false;
  readonly #maxLongEdge: number | undefined;

  constructor({ maxLongEdge }: ScreenProfile) {
    this.#maxLongEdge = maxLongEdge;
  }

  async encode(picture: Picture): Promise<EncodedPicture> {
    const size = fit(picture, this.#maxLongEdge);
    // The device goes on drawing into its own pixels.
    const pixels = spareMemory.copyOf(picture.pixels);
    try {
      const png = await inFlight.track(
        shrink({ ...picture, pixels }, size)
          .png(PNG_OPTIONS)
          .toBuffer(),
      );
      return { key: true, ...size, payload: payloadOf(png) };
    } finally {
      spareMemory.giveBack(pixels);
    }
  }

  close(): void {}
}
