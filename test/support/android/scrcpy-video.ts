import type { Picture } from '../../../server/device/driver.ts';
import { H264Encoder } from '../../../server/host/stream/h264-encoder.ts';
import { addLast, digestOf, unitsOf } from '../ios/serve-sim-stand-in.ts';
import type { GuestPhone } from './guest-phone.ts';

const FRAME_MS = 25;
const START = Buffer.from([0, 0, 0, 1]);

/** The nearest multiple of eight, and for the longer edge the next smaller one. */
function roundedSize({ width, height }: Pick<Picture, 'width' | 'height'>) {
  const major = Math.max(width, height) & ~7;
  const minor = Math.min(major, (Math.min(width, height) + 4) & ~7);
  return height > width ? { width: minor, height: major } : { width: major, height: minor };
}

/** A phone's screen in the packets of scrcpy's server, of version 3 or 4: real pictures of x264's. */
export class ScrcpyStandInVideo {
  /** Digests of every slice that was made, the newest last. */
  readonly scheduler: Set<string>;
  size = { width: 0, height: 0 };
  readonly #guest: GuestPhone;
  readonly #form: 3 | 4;
  readonly #shade: () => number;
  readonly #say: (bytes: Buffer) => void;
  readonly #encoder = new H264Encoder({ encoding: 'h264', quality: 90, maxFps: 40 });
  readonly #timer: NodeJS.Timeout;
  #version = -1;
  #shadeShown = 0;
  #anew = true;
  #busy = false;
  #count = 0;

  /** @param shade rows of the display that something dark covers, from the top */
  constructor(
    guest: GuestPhone,
    form: 3 | 4,
    scheduler: Set<string>,
    shade: () => number,
    say: (bytes: Buffer) => void,
  ) {
    this.#guest = guest;
    this.#form = form;
    this.scheduler = scheduler;
    this.#shade = shade;
    this.#say = say;
    this.size = roundedSize(guest.phone.render());
    const name = Buffer.alloc(64);
    name.write('Stand-in');
    say(
      Buffer.concat([name, Buffer.from('h264'), ...(form === 3 ? [numbers(this.size.width, this.size.height)] : [])]),
    );
    this.#timer = setInterval(() => this.#tick(), FRAME_MS);
  }

  reset(): void {
    this.#anew = true;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#encoder.close();
  }

  #tick(): void {
    if (this.#busy) return;
    const picture = this.#guest.phone.render();
    const shade = this.#shade();
    if (picture.version === this.#version && shade === this.#shadeShown && !this.#anew) return;
    this.#version = picture.version;
    this.#shadeShown = shade;
    const size = roundedSize(picture);
    if (size.width !== this.size.width || size.height !== this.size.height) this.#anew = true;
    this.size = size;
    const shown = scaled(picture, size);
    shown.pixels.fill(0x40, 0, shade * size.width * 4);
    void this.#encode(shown);
  }

  async #encode({ pixels, width, height }: Pick<Picture, 'pixels' | 'width' | 'height'>): Promise<void> {
    this.#busy = true;
    const anew = this.#anew;
    this.#anew = false;
    const damage = [{ x: 0, y: 0, width, height }];
    const version = ++this.#count;
    const picture: Picture = { pixels, width, height, orientation: 'portrait', version, damage, inputSeq: 0 };
    const { payload, key } = await this.#encoder.encode(picture, anew, Date.now() * 1_000);
    this.#busy = false;
    const units = unitsOf(Buffer.from(payload));
    const isSet = (unit: Buffer) => (unit[0] ?? 0) % 32 === 7 || (unit[0] ?? 0) % 32 === 8;
    const scheduler = units.filter((unit) => (unit[0] ?? 0) % 32 < 6);
    for (const slice of scheduler) addLast(this.scheduler, digestOf(slice));
    const annexB = (list: readonly Buffer[]) => Buffer.concat(list.flatMap((unit) => [START, unit]));
    if (anew && this.#form === 4) this.#say(Buffer.concat([Buffer.from([0x80, 0, 0, 0]), numbers(width, height)]));
    if (anew) this.#packet('config', annexB(units.filter(isSet)));
    this.#packet(key ? 'key' : 'delta', annexB(scheduler));
  }

  #packet(kind: 'config' | 'key' | 'delta', payload: Buffer): void {
    const head = Buffer.alloc(12);
    const flag = { config: 63n, key: 62n, delta: undefined }[kind];
    const pts = kind === 'config' ? 0n : BigInt(Math.round(performance.now() * 1_000));
    const flags = flag === undefined ? 0n : 1n << (this.#form === 4 ? flag - 1n : flag);
    head.writeBigUInt64BE(pts | flags);
    head.writeUInt32BE(payload.length, 8);
    this.#say(Buffer.concat([head, payload]));
  }
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

/** Pixel by pixel, the nearest of each. */
function scaled(picture: Picture, size: { width: number; height: number }) {
  const { width, height } = size;
  const from = new Uint32Array(Uint8Array.from(picture.pixels).buffer);
  if (width === picture.width && height === picture.height) return { ...size, pixels: new Uint8Array(from.buffer) };
  const to = new Uint32Array(width * height);
  const columns = Array.from({ length: width }, (_, x) => Math.trunc((x * picture.width) / width));
  for (let y = 0; y < height; y++) {
    const row = Math.trunc((y * picture.height) / height) * picture.width;
    for (let x = 0; x < width; x++) to[y * width + x] = from[row + (columns[x] ?? 0)] ?? 0;
  }
  return { ...size, pixels: new Uint8Array(to.buffer) };
}
