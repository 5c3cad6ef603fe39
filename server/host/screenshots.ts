import type { Device, Picture } from '../device/driver.ts';
import type { Screenshot } from '../link/messages.ts';
import { encodePng } from './png.ts';

/** Screenshots of one device. An unchanged picture is encoded once, also for callers that ask at the same time. */
export class Screenshots {
  readonly #device: Device;
  #version = -1;
  #png: Promise<Uint8Array> | undefined;
  /** Pending while a captured picture is not yet copied. */
  #copying: Promise<void> | undefined;
  /** Encodings done so far. */
  encodings = 0;

  constructor(device: Device) {
    this.#device = device;
  }

  async take(): Promise<Screenshot> {
    // A picture stays as it is only until the next capture, which therefore waits until this one is copied.
    while (this.#copying !== undefined) await this.#copying;
    const encoding = this.#captureAndEncode();
    const forget = () => {
      this.#copying = undefined;
    };
    this.#copying = encoding.then(forget, forget);
    const { picture, png } = await encoding;
    const { width, height, inputSeq } = picture;
    // Each caller gets bytes of its own: they cross the link by transfer, which empties the sender's.
    return { png: new Uint8Array(await png()), width, height, inputSeq };
  }

  async #captureAndEncode() {
    const picture = await this.#device.capture();
    const png = this.#encode(picture);
    return { picture, png: () => png };
  }

  #encode(picture: Picture): Promise<Uint8Array> {
    if (this.#png && this.#version === picture.version) return this.#png;
    this.#version = picture.version;
    this.encodings++;
    // The device goes on drawing into its pixels while the thread pool reads, hence the copy.
    const png = encodePng({ ...picture, pixels: picture.pixels.slice() });
    this.#png = png;
    png.catch(() => {
      if (this.#png === png) this.#png = undefined;
    });
    return png;
  }
}
