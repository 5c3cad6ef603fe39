import type { Picture } from '../../device/driver.ts';
import { type ParameterSets, toAvcPicture } from '../../h264/avc.ts';
import type { ScreenProfile } from '../../link/messages.ts';
import { fitEven, type Size, sameSize } from '../stream/fit.ts';
import { H264Encoder } from '../stream/h264-encoder.ts';
import type { EncodedPicture, PictureEncoder } from '../stream/picture-encoder.ts';
import { Letterbox } from './letterbox.ts';

const BYTES_PER_PIXEL = 4;
/** Of parameter sets beside those of a device's own encoder, which count from 0. */
const BESIDE_ID = 31;

/**
 * Encodes pictures of a device that is turned into the frame in which its recording began. The same settings and the same
 * size make x264 write the same parameter sets, so the packets belong to the recording's track. Beside a device's own encoder, whose
 * sets are others, they have an identifier of their own.
 */
export class LetterboxEncoder implements PictureEncoder {
  readonly repeatsCheaply = true;
  readonly #frame: Size;
  readonly #letterbox: Letterbox;
  readonly #encoder: H264Encoder;
  #fits = false;

  /**
   * @param profile how the recording's other packets are encoded, at the size of `frame`
   * @param isBeside whether these may be of a device's own encoder
   */
  constructor(profile: ScreenProfile, frame: Size, isBeside: boolean) {
    this.#frame = frame;
    this.#letterbox = new Letterbox(frame);
    this.#encoder = new H264Encoder(profile, isBeside ? BESIDE_ID : 0);
  }

  /** The parameter sets of its pictures. */
  async parameterSets(): Promise<ParameterSets | undefined> {
    const { width, height } = this.#frame;
    const pixels = new Uint8Array(width * height * BYTES_PER_PIXEL);
    const whole = { x: 0, y: 0, width, height };
    const blank: Picture = { pixels, width, height, orientation: 'portrait', version: 1, damage: [whole], inputSeq: 0 };
    return toAvcPicture((await this.#encoder.encode(blank, true, 0)).payload).parameterSets;
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
