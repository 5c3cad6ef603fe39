import type { Picture } from '../device/driver.ts';
import type { Screenshot } from '../link/messages.ts';
import type { CaptureGate } from './capture-gate.ts';
import { encodePng } from './png.ts';
import { PngRows } from './png-rows.ts';

/** Screenshots of one device. An unchanged picture is encoded once, even for concurrent callers. */
export class Screenshots {
  readonly #gate: CaptureGate;
  readonly #rows = new PngRows();
  #version = -1;
  #png: Promise<Uint8Array> | undefined;
  /** Encodings done so far. */
  encodings = 0;

  constructor(gate: CaptureGate) {
    this.#gate = gate;
  }

  async take(): Promise<Screenshot> {
    // In an object, so that the gate does not wait for what no longer needs the device's pixels.
    const { picture, png } = await this.#gate.capture((picture) => ({ picture, png: this.#encode(picture) }));
    const { width, height, inputSeq } = picture;
    // Each caller gets bytes of its own: they cross the link by transfer, which empties the sender's.
    return { png: new Uint8Array(await png), width, height, inputSeq };
  }

  #encode(picture: Picture): Promise<Uint8Array> {
    if (this.#png && this.#version === picture.version) return this.#png;
    this.#version = picture.version;
    this.encodings++;
    const png = encodePng(picture, this.#rows);
    this.#png = png;
    png.catch(() => {
      if (this.#png === png) this.#png = undefined;
    });
    return png;
  }
}
