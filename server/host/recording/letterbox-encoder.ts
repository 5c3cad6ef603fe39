import type { Picture } from '../../device/driver.ts';
import type { ScreenProfile } from '../../link/messages.ts';
import { fitEven, type Size, sameSize } from '../stream/fit.ts';
import { H264Encoder } from '../stream/h264-encoder.ts';
import type { EncodedPicture, PictureEncoder } from '../stream/picture-encoder.ts';
import { Letterbox } from './letterbox.ts';

/**
 * Encodes pictures of a device that is turned into the frame in which its recording began. The same settings and the same
 * size make x264 write the same parameter sets, so the packets belong to the recording's track.
 */
export class LetterboxEncoder implements PictureEncoder {
  readonly repeatsCheaply = true;
  readonly #frame: Size;
  readonly #letterbox: Letterbox;
  readonly #encoder: H264Encoder;
  #fits = false;

  /** @param profile how the recording's other packets are encoded, at the size of `frame` */
  constructor(profile: ScreenProfile, frame: Size) {
    this.#frame = frame;
    this.#letterbox = new Letterbox(frame);
    this.#encoder = new H264Encoder(profile);
  }

  /** The newest picture would have fitted without this. */
  get fits(): boolean {
    return this.#fits;
  }

  encode(picture: Picture, key: boolean, capturedAtUs: number): Promise<EncodedPicture> {
    this.#fits = sameSize(fitEven(picture, undefined), this.#frame);
    return this.#encoder.encode(this.#letterbox.put(picture), key, capturedAtUs);
  }

  close(): void {
    this.#letterbox.close();
    this.#encoder.close();
  }
}
