import { AV_PIX_FMT_RGBA } from 'node-av/constants';
import { FFmpegError, Frame, SoftwareScaleContext } from 'node-av/lib';
import type { Picture } from '../../device/driver.ts';
import { type Size, sameSize } from '../stream/fit.ts';

const BYTES_PER_PIXEL = 4;
const BLACK = Buffer.from([0, 0, 0, 255]);

/** Where a picture of size `source` goes in a frame: as large as fits, in the middle. */
export function place(source: Size, frame: Size): Size & { readonly x: number; readonly y: number } {
  const scale = Math.min(frame.width / source.width, frame.height / source.height);
  const width = Math.min(frame.width, Math.max(1, Math.round(source.width * scale)));
  const height = Math.min(frame.height, Math.max(1, Math.round(source.height * scale)));
  return { width, height, x: (frame.width - width) >> 1, y: (frame.height - height) >> 1 };
}

/** Puts pictures of any size into frames of one size, with black bars. Native memory is freed by `close`. */
export class Letterbox {
  readonly #frame: Size;
  readonly #pixels: Buffer;
  readonly #scaler = new SoftwareScaleContext();
  #source: Size = { width: 0, height: 0 };
  #in: Frame | undefined;
  #out: Frame | undefined;

  constructor(frame: Size) {
    this.#frame = frame;
    this.#pixels = Buffer.alloc(frame.width * frame.height * BYTES_PER_PIXEL, BLACK);
    this.#scaler.allocContext();
    // The mean of what a pixel covers: letters stay readable when they shrink.
    check(this.#scaler.setOption('sws_flags', 'area'));
  }

  /** The framed picture. Its pixels last until the next one. */
  put(picture: Picture): Picture {
    if (!sameSize(this.#source, picture)) this.#turn(picture);
    const { width, height, x, y } = place(picture, this.#frame);
    const scaled = this.#scale(picture);
    const rowBytes = width * BYTES_PER_PIXEL;
    for (let row = 0; row < height; row++) {
      const target = ((y + row) * this.#frame.width + x) * BYTES_PER_PIXEL;
      scaled.data.copy(this.#pixels, target, row * scaled.rowBytes, row * scaled.rowBytes + rowBytes);
    }
    return { ...picture, ...this.#frame, pixels: this.#pixels, damage: [] };
  }

  close(): void {
    this.#scaler.freeContext();
    this.#free();
  }

  #scale({ pixels }: Picture): { readonly data: Buffer; readonly rowBytes: number } {
    if (!this.#in || !this.#out) throw new Error('there is no frame to scale into');
    // Points at the device's own pixels; they are read before this returns.
    check(this.#in.fromBuffer(Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength)));
    check(this.#scaler.scaleFrameSync(this.#out, this.#in));
    const [data] = this.#out.data ?? [];
    const [rowBytes] = this.#out.linesize;
    if (!data || rowBytes === undefined) throw new Error('the scaler gave no picture');
    return { data, rowBytes };
  }

  #turn(source: Size): void {
    this.#free();
    this.#source = { width: source.width, height: source.height };
    this.#in = createFrame(source);
    this.#out = createFrame(place(source, this.#frame));
    check(this.#out.getBuffer(0));
    this.#pixels.fill(BLACK);
  }

  #free(): void {
    this.#in?.free();
    this.#out?.free();
  }
}

function createFrame({ width, height }: Size): Frame {
  const frame = new Frame();
  frame.alloc();
  frame.format = AV_PIX_FMT_RGBA;
  frame.width = width;
  frame.height = height;
  return frame;
}

function check(result: number): void {
  FFmpegError.throwIfError(result, 'letterbox');
}
