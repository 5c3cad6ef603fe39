import type { Picture } from '../../device/driver.ts';
import type { ScreenProfile } from '../../link/messages.ts';
import { fitEven, type Size, sameSize } from './fit.ts';
import { H264Session } from './h264-session.ts';
import type { EncodedPicture, PictureEncoder } from './picture-encoder.ts';

/** The constant rate factor that is nearly lossless, and what a step of quality adds to it: 70 gives 23, 80 gives 19. */
const CRF_AT_BEST = 11;
const CRF_PER_QUALITY = 0.4;

/**
 * H.264 of constrained baseline profile, decodable with the least delay: no B-frames, one reference, and a key picture
 * only when it is asked for. A picture of another size begins a session of x264 of its own, with a key picture, so the
 * stream goes on when the device turns.
 *
 * Sizes are even. A display of an odd size loses its last column or row; a scaled one is scaled to even numbers.
 */
export class H264Encoder implements PictureEncoder {
  readonly repeatsCheaply = true;
  readonly #maxLongEdge: number | undefined;
  readonly #crf: number;
  #session: H264Session | undefined;
  #source: Size = { width: 0, height: 0 };

  constructor({ maxLongEdge, quality }: ScreenProfile) {
    this.#maxLongEdge = maxLongEdge;
    this.#crf = CRF_AT_BEST + (100 - quality) * CRF_PER_QUALITY;
  }

  encode(picture: Picture, key: boolean, capturedAtUs: number): EncodedPicture {
    if (!this.#session || !sameSize(this.#source, picture)) this.#begin(picture);
    if (!this.#session) throw new Error('no session');
    return this.#session.encode(picture.pixels, key, capturedAtUs);
  }

  close(): void {
    this.#session?.close();
    this.#session = undefined;
  }

  #begin({ width, height }: Size): void {
    this.close();
    this.#source = { width, height };
    this.#session = new H264Session(this.#source, fitEven(this.#source, this.#maxLongEdge), this.#crf);
  }
}
