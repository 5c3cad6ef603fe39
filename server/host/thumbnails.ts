import type { Picture } from '../device/driver.ts';
import type { SmallEdge, Thumbnail } from '../link/messages.ts';
import type { CaptureGate } from './capture-gate.ts';
import { JpegEncoder } from './stream/jpeg-encoder.ts';
import { ownBytes } from './stream/shrink.ts';

const THUMBNAIL_QUALITY = 75;

/** Smaller pictures of one device, all of one size. An unchanged picture is encoded once. */
export class Thumbnails {
  readonly #gate: CaptureGate;
  readonly #encoder: JpegEncoder;
  #newest: { readonly version: number; readonly encoded: Promise<Omit<Thumbnail, 'version'>> } | undefined;
  /** Encodings done so far. */
  encodings = 0;

  constructor(gate: CaptureGate, maxLongEdge: SmallEdge) {
    this.#gate = gate;
    this.#encoder = new JpegEncoder({ encoding: 'jpeg', maxLongEdge, quality: THUMBNAIL_QUALITY, maxFps: 1 });
  }

  async take(): Promise<Thumbnail> {
    const { version, encoded } = await this.#gate.capture(async (picture) => {
      const newest = this.#encode(picture);
      await this.#encoder.reading;
      return newest;
    });
    const { jpeg, width, height } = await encoded;
    // The bytes cross the link by transfer, which empties the sender's.
    return { jpeg: ownBytes(jpeg), width, height, version };
  }

  #encode(picture: Picture) {
    const { version } = picture;
    if (this.#newest?.version === version) return this.#newest;
    this.encodings++;
    const newest = { version, encoded: this.#compress(picture) };
    this.#newest = newest;
    newest.encoded.catch(() => {
      if (this.#newest === newest) this.#newest = undefined;
    });
    return newest;
  }

  async #compress(picture: Picture): Promise<Omit<Thumbnail, 'version'>> {
    const { payload, width, height } = await this.#encoder.encode(picture);
    return { jpeg: payload, width, height };
  }
}
