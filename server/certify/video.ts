import { AV_PIX_FMT_RGB24, AV_TIME_BASE, AVERROR_EAGAIN, AVERROR_EOF, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import {
  Codec,
  CodecContext,
  type CodecParameters,
  FFmpegError,
  FormatContext,
  Frame,
  Packet,
  SoftwareScaleContext,
} from 'node-av/lib';
import type { RgbPicture } from '../test-card/read-card.ts';

export interface Video {
  readonly durationMs: number;
  readonly pictures: number;
  readonly first: RgbPicture;
  readonly last: RgbPicture;
}

/** Decodes every picture of an MP4. Rejects if there is none, or if one cannot be decoded. */
export async function readVideo(file: string): Promise<Video> {
  const input = new FormatContext();
  const packet = new Packet();
  packet.alloc();
  let decoder: VideoDecoder | undefined;
  try {
    input.allocContext();
    FFmpegError.throwIfError(await input.openInput(file), 'file');
    FFmpegError.throwIfError(await input.findStreamInfo(), 'streams');
    const index = input.findBestStream(AVMEDIA_TYPE_VIDEO);
    const stream = input.streams[index];
    if (!stream) throw new Error('there is no video in it');
    decoder = new VideoDecoder(stream.codecpar);
    for (;;) {
      const result = await input.readFrame(packet);
      if (result === AVERROR_EOF) break;
      FFmpegError.throwIfError(result, 'packet');
      if (packet.streamIndex === index) await decoder.push(packet);
      packet.unref();
    }
    await decoder.push(null);
    const { pictures, first, last } = decoder;
    if (!first || !last) throw new Error('there is no picture in it');
    return { durationMs: (Number(input.duration) / AV_TIME_BASE) * 1_000, pictures, first, last };
  } finally {
    decoder?.close();
    packet.free();
    await input.closeInput();
  }
}

class VideoDecoder {
  readonly #context = new CodecContext();
  readonly #frame = new Frame();
  pictures = 0;
  first: RgbPicture | undefined;
  last: RgbPicture | undefined;

  constructor(parameters: CodecParameters) {
    const codec = Codec.findDecoder(parameters.codecId);
    if (!codec) throw new Error('there is no decoder for it');
    this.#context.allocContext3(codec);
    FFmpegError.throwIfError(this.#context.parametersToContext(parameters), 'parameters');
    FFmpegError.throwIfError(this.#context.open2Sync(codec), 'decoder');
    this.#frame.alloc();
  }

  /** @param packet `null` at the end */
  async push(packet: Packet | null): Promise<void> {
    FFmpegError.throwIfError(await this.#context.sendPacket(packet), 'picture');
    for (;;) {
      const result = await this.#context.receiveFrame(this.#frame);
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
      FFmpegError.throwIfError(result, 'picture');
      if (this.#frame.decodeErrorFlags !== 0) throw new Error(`picture ${this.pictures} is damaged`);
      this.pictures++;
      this.last = rgbOf(this.#frame);
      this.first ??= this.last;
    }
  }

  close(): void {
    this.#context.freeContext();
    this.#frame.free();
  }
}

function rgbOf(frame: Frame): RgbPicture {
  const { width, height } = frame;
  const scaler = new SoftwareScaleContext();
  const rgb = new Frame();
  try {
    scaler.allocContext();
    rgb.alloc();
    rgb.format = AV_PIX_FMT_RGB24;
    rgb.width = width;
    rgb.height = height;
    // Rows without gaps between them.
    FFmpegError.throwIfError(rgb.getBuffer(1), 'frame');
    FFmpegError.throwIfError(scaler.scaleFrameSync(rgb, frame), 'scaler');
    const [pixels] = rgb.data ?? [];
    if (!pixels) throw new Error('the frame has no pixels');
    return { width, height, pixels: Uint8Array.from(pixels.subarray(0, width * height * 3)) };
  } finally {
    scaler.freeContext();
    rgb.free();
  }
}
