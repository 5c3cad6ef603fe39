import type { Picture } from '../../../server/device/driver.ts';
import { H264Encoder } from '../../../server/host/stream/h264-encoder.ts';
import type { Guest } from './guest.ts';

const FRAME_MS = 33;

/** A guest's screen as H.264 in Annex B: a picture when something changed, and a key picture when one is asked for. */
export class GuestVideo {
  readonly #guest: Guest;
  readonly #raw: boolean;
  readonly #listener: (payload: Buffer, key: boolean) => void;
  readonly #encoder = new H264Encoder({ encoding: 'h264', quality: 90, maxFps: 30 });
  readonly #timer: NodeJS.Timeout;
  #version = -1;
  #turnedVersion = 0;
  #key = true;
  #busy = false;

  constructor(guest: Guest, raw: boolean, listener: (payload: Buffer, key: boolean) => void) {
    this.#guest = guest;
    this.#raw = raw;
    this.#listener = listener;
    this.#timer = setInterval(() => this.#tick(), FRAME_MS);
  }

  requestKey(): void {
    this.#key = true;
    setImmediate(() => this.#tick());
  }

  close(): void {
    clearInterval(this.#timer);
    this.#encoder.close();
  }

  #tick(): void {
    const picture = this.#guest.picture();
    if (this.#busy || (picture.version === this.#version && !this.#key)) return;
    this.#version = picture.version;
    const shown = this.#raw ? this.#onPanel(picture) : picture;
    void this.#encode(shown);
  }

  async #encode(picture: Picture): Promise<void> {
    this.#busy = true;
    const wanted = this.#key;
    this.#key = false;
    const { payload, key } = await this.#encoder.encode(picture, wanted, Date.now() * 1_000);
    this.#busy = false;
    this.#listener(Buffer.from(payload), key);
  }

  /** Pixel by pixel, where each of them lies on the panel. */
  #onPanel(picture: Picture): Picture {
    const { orientation, width, height } = picture;
    if (orientation === 'portrait') return picture;
    const from = Buffer.from(picture.pixels);
    const lying = orientation.startsWith('landscape');
    const [columns, rows] = lying ? [height, width] : [width, height];
    const pixels = Buffer.alloc(from.length);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const [column, row] = {
          portrait: [x, y],
          portrait_upside_down: [width - 1 - x, height - 1 - y],
          landscape_left: [y, width - 1 - x],
          landscape_right: [height - 1 - y, x],
        }[orientation] as [number, number];
        from.copy(pixels, (row * columns + column) * 4, (y * width + x) * 4, (y * width + x) * 4 + 4);
      }
    }
    const version = ++this.#turnedVersion * 2;
    return {
      ...picture,
      pixels,
      width: columns,
      height: rows,
      version,
      damage: [{ x: 0, y: 0, width: columns, height: rows }],
    };
  }
}
