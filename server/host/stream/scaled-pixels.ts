import type { Picture } from '../../device/driver.ts';
import { type Size, sameSize } from './fit.ts';
import { PictureScaler } from './picture-scaler.ts';

/** Scales the pictures of one stream, whatever size they have. Its native memory is freed by `close`, once no scaling is under way. */
export class ScaledPixels {
  #scaler: PictureScaler | undefined;
  #reading: Promise<void> | undefined;
  #isBusy = false;
  #isClosed = false;

  /** Settles when the pixels of the last picture may change; never rejects. */
  get reading(): Promise<void> | undefined {
    return this.#reading;
  }

  /**
   * Scales a picture and passes the pixels on, RGB, which are valid until `use` returns or its promise settles. Not to be called again
   * before that.
   */
  async with<T>(picture: Picture, size: Size, use: (pixels: Buffer) => T | Promise<T>): Promise<T> {
    this.#isBusy = true;
    try {
      const scaling = this.#scalerFor(picture, size).scale(picture.pixels);
      this.#reading = scaling.then(
        () => undefined,
        () => undefined,
      );
      return await use(await scaling);
    } finally {
      this.#isBusy = false;
      if (this.#isClosed) this.#free();
    }
  }

  /** Waits for the running scaling first: the thread pool works on this memory. */
  close(): void {
    this.#isClosed = true;
    if (!this.#isBusy) this.#free();
  }

  #free(): void {
    this.#scaler?.close();
    this.#scaler = undefined;
  }

  #scalerFor({ width, height }: Size, size: Size): PictureScaler {
    if (this.#scaler && sameSize(this.#scaler.source, { width, height })) return this.#scaler;
    this.#free();
    this.#scaler = new PictureScaler({ width, height }, size);
    return this.#scaler;
  }
}
