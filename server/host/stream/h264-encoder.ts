import type { Picture } from '../../device/driver.ts';
import type { ScreenProfile } from '../../link/messages.ts';
import { PictureChanges } from '../picture-changes.ts';
import { fitEven, type Size, sameSize } from './fit.ts';
import type { EncodedPicture, PictureEncoder } from './picture-encoder.ts';
import { X264Session } from './x264-session.ts';

/** The quantiser that is nearly lossless, and what a step of quality adds to it: 70 gives 23, 80 gives 19. */
const QP_AT_BEST = 11;
const QP_PER_QUALITY = 0.4;

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
  readonly #qp: number;
  readonly #setId: number;
  #sizeShare = 1;
  #session: X264Session | undefined;
  #source: Size = { width: 0, height: 0 };
  /** Between the pictures of this session. */
  readonly #changes = new PictureChanges();

  /** @param setId identifier of the parameter sets, 0 to 31, for pictures that are put beside those of another encoder */
  constructor({ maxLongEdge, quality }: ScreenProfile, setId = 0) {
    this.#setId = setId;
    this.#maxLongEdge = maxLongEdge;
    this.#qp = Math.round(QP_AT_BEST + (100 - quality) * QP_PER_QUALITY);
  }

  get reading(): Promise<void> | undefined {
    return this.#session?.reading;
  }

  async encode(picture: Picture, key: boolean, capturedAtUs: number): Promise<EncodedPicture> {
    if (!this.#session || !sameSize(this.#source, picture)) this.#begin(picture);
    if (!this.#session) throw new Error('no session');
    // A key picture is made of the whole screen, so that it puts right whatever went wrong before it.
    const changes = this.#changes.upTo(picture);
    const changed = key ? undefined : changes;
    return this.#session.encode({ pixels: picture.pixels, changed }, key, capturedAtUs);
  }

  reduceTo(sizeShare: number): void {
    if (sizeShare === this.#sizeShare) return;
    this.#sizeShare = sizeShare;
    this.close();
  }

  close(): void {
    this.#session?.close();
    this.#session = undefined;
  }

  #longEdgeMax(width: number, height: number): number | undefined {
    if (this.#sizeShare === 1) return this.#maxLongEdge;
    const longEdge = Math.max(width, height);
    return Math.min(longEdge, this.#maxLongEdge ?? longEdge) * this.#sizeShare;
  }

  #begin({ width, height }: Size): void {
    this.close();
    this.#source = { width, height };
    this.#changes.forget();
    const size = fitEven(this.#source, this.#longEdgeMax(width, height));
    this.#session = new X264Session(this.#source, size, this.#qp, this.#setId);
  }
}
