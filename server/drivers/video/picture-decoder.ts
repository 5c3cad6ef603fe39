import {
  AV_CODEC_FLAG_LOW_DELAY,
  AV_CODEC_ID_H264,
  AV_LOG_FATAL,
  AV_PIX_FMT_RGBA,
  AVERROR_EAGAIN,
  AVERROR_EOF,
} from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Log, Packet, SoftwareScaleContext } from 'node-av/lib';
import type { PictureSize } from './video-source.ts';

// The device's video is untrusted: faults in it are reported here, not printed by the library.
Log.setLevel(AV_LOG_FATAL);

/** One decoder of H.264, from a key picture on. Its native memory is freed by `close`. */
export class PictureDecoder {
  readonly #context: CodecContext;
  readonly #packet = new Packet();
  #decoded = frame();
  #next = frame();
  #has = false;
  #scaler: SoftwareScaleContext | undefined;
  #rgba: Frame | undefined;

  constructor() {
    const codec = Codec.findDecoder(AV_CODEC_ID_H264);
    if (!codec) throw new Error('this build of FFmpeg has no H.264 decoder');
    this.#context = new CodecContext();
    this.#context.allocContext3(codec);
    this.#context.threadCount = 1;
    this.#context.flags = AV_CODEC_FLAG_LOW_DELAY;
    FFmpegError.throwIfError(this.#context.open2Sync(codec), 'decoder');
    this.#packet.alloc();
  }

  /** Takes one picture in Annex B. Throws for one that cannot be decoded. */
  push(payload: Uint8Array): void {
    this.#packet.data = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
    FFmpegError.throwIfError(this.#context.sendPacketSync(this.#packet), 'picture');
    for (;;) {
      const result = this.#context.receiveFrameSync(this.#next);
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) break;
      FFmpegError.throwIfError(result, 'picture');
      [this.#decoded, this.#next] = [this.#next, this.#decoded];
      this.#has = true;
    }
  }

  /** True when the newest picture was decoded without a gap or an error. */
  get isWhole(): boolean {
    return this.#has && this.#decoded.decodeErrorFlags === 0;
  }

  /** The newest picture in RGBA, valid until the next call; `undefined` before the first. */
  pixels(): (PictureSize & { readonly pixels: Buffer }) | undefined {
    if (!this.#has) return undefined;
    const { width, height } = this.#decoded;
    const rgba = this.#target(width, height);
    if (!this.#scaler) throw new Error('no scaler');
    FFmpegError.throwIfError(this.#scaler.scaleFrameSync(rgba, this.#decoded), 'scaler');
    const [pixels] = rgba.data ?? [];
    if (!pixels) throw new Error('the frame has no pixels');
    return { width, height, pixels: pixels.subarray(0, width * height * 4) };
  }

  close(): void {
    this.#context.freeContext();
    this.#packet.free();
    this.#decoded.free();
    this.#next.free();
    this.#scaler?.freeContext();
    this.#rgba?.free();
  }

  #target(width: number, height: number): Frame {
    if (this.#rgba?.width === width && this.#rgba.height === height) return this.#rgba;
    this.#scaler?.freeContext();
    this.#rgba?.free();
    this.#scaler = new SoftwareScaleContext();
    this.#scaler.allocContext();
    this.#rgba = frame();
    this.#rgba.format = AV_PIX_FMT_RGBA;
    this.#rgba.width = width;
    this.#rgba.height = height;
    // Rows without gaps between them.
    FFmpegError.throwIfError(this.#rgba.getBuffer(1), 'frame');
    return this.#rgba;
  }
}

/** Decodes a key picture in Annex B to see whether all of it is there: half of one looks the same otherwise. */
export function isWholeKeyPicture(payload: Uint8Array): boolean {
  const decoder = new PictureDecoder();
  try {
    decoder.push(payload);
    return decoder.isWhole;
  } catch {
    return false;
  } finally {
    decoder.close();
  }
}

function frame(): Frame {
  const made = new Frame();
  made.alloc();
  return made;
}
