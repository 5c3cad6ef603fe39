import { AV_LOG_ERROR, AV_PIX_FMT_RGB24, AV_PIX_FMT_RGBA, type AVPixelFormat } from 'node-av/constants';
import { FFmpegError, Frame, Log, SoftwareScaleContext } from 'node-av/lib';
import { inFlight } from '../in-flight.ts';
import type { Size } from './fit.ts';

Log.setLevel(AV_LOG_ERROR);

/**
 * Makes pictures of one size smaller on the thread pool: 2 ms from 590×1280 to half of it, 4 ms to three quarters, for which
 * inputs would wait on this thread. Each pixel is the mean of what it covers. Its native memory is freed by `close`.
 */
export class PictureScaler {
  readonly source: Size;
  readonly size: Size;
  readonly #scaler = new SoftwareScaleContext();
  readonly #rgba: Frame;
  readonly #rgb: Frame;

  constructor(source: Size, size: Size) {
    this.source = source;
    this.size = size;
    this.#rgba = createFrame(AV_PIX_FMT_RGBA, source);
    this.#rgb = createFrame(AV_PIX_FMT_RGB24, size);
    // Rows without gaps between them.
    FFmpegError.throwIfError(this.#rgb.getBuffer(1), 'frame');
    this.#scaler.allocContext();
    FFmpegError.throwIfError(this.#scaler.setOption('sws_flags', 'area'), 'scaler');
  }

  /**
   * RGBA in, which may change when this settles; RGB out, valid until the next call. Not to be called again, and nothing is to be
   * closed, before that.
   */
  async scale(pixels: Uint8Array): Promise<Buffer> {
    const bytes = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
    FFmpegError.throwIfError(this.#rgba.fromBuffer(bytes), 'frame');
    FFmpegError.throwIfError(await inFlight.track(this.#scaler.scaleFrame(this.#rgb, this.#rgba)), 'scaler');
    // To ask keeps them in memory until here.
    if (pixels.length === 0) throw new Error('the pixels were given away while they were read');
    const [rgb] = this.#rgb.data ?? [];
    if (!rgb) throw new Error('the frame has no pixels');
    return rgb;
  }

  close(): void {
    this.#scaler.freeContext();
    this.#rgba.free();
    this.#rgb.free();
  }
}

function createFrame(format: AVPixelFormat, { width, height }: Size): Frame {
  const frame = new Frame();
  frame.alloc();
  frame.format = format;
  frame.width = width;
  frame.height = height;
  return frame;
}
