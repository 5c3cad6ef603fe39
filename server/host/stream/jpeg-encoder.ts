import jpeg from '@julusian/jpeg-turbo';
import type { Picture } from '../../device/driver.ts';
import type { ScreenProfile } from '../../link/messages.ts';
import { fit, type Size, sameSize } from './fit.ts';
import type { EncodedPicture, PictureEncoder } from './picture-encoder.ts';
import { ownBytes, shrink } from './shrink.ts';

/**
 * JPEG by libjpeg-turbo, at once and straight from the device's pixels: 2 ms for 590×1280. A smaller size is made on the
 * thread pool first. `quality` is JPEG's own; colour is stored for every second pixel each way.
 */
export class JpegEncoder implements PictureEncoder {
  readonly repeatsCheaply = false;
  readonly #maxLongEdge: number | undefined;
  readonly #quality: number;
  #scratch = Buffer.alloc(0);

  constructor({ maxLongEdge, quality }: ScreenProfile) {
    this.#maxLongEdge = maxLongEdge;
    this.#quality = quality;
  }

  encode(picture: Picture): EncodedPicture | Promise<EncodedPicture> {
    const size = fit(picture, this.#maxLongEdge);
    if (!sameSize(size, picture)) return this.#encodeShrunk(picture, size);
    const { buffer, byteOffset, byteLength } = picture.pixels;
    return this.#compress(Buffer.from(buffer, byteOffset, byteLength), size, jpeg.FORMAT_RGBA);
  }

  close(): void {}

  async #encodeShrunk(picture: Picture, size: Size): Promise<EncodedPicture> {
    return this.#compress(await shrink(picture, size).raw().toBuffer(), size, jpeg.FORMAT_RGB);
  }

  #compress(pixels: Buffer, size: Size, format: number): EncodedPicture {
    const options = { ...size, format, quality: this.#quality, subsampling: jpeg.SAMP_420 };
    const bytesMax = jpeg.bufferSize(options);
    if (this.#scratch.length < bytesMax) this.#scratch = Buffer.allocUnsafeSlow(bytesMax);
    return { key: true, ...size, payload: ownBytes(jpeg.compressSync(pixels, this.#scratch, options)) };
  }
}
