import {
  AV_LOG_ERROR,
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  type AVPixelFormat,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Log, Packet, Rational, SoftwareScaleContext } from 'node-av/lib';
import { codecString } from './codec-string.ts';
import type { Size } from './fit.ts';
import type { EncodedPicture } from './picture-encoder.ts';

const MICROSECONDS = new Rational(1, 1_000_000);
/** What the stream's level is chosen for. Pictures carry their true times. */
const FPS = 60;

/**
 * One thread and `zerolatency` make every picture come out of x264 in the call that puts it in. x264 writes the VUI with
 * its bitstream restriction by itself: `max_num_reorder_frames` is 0, so decoders show each picture at once.
 */
const OPTIONS = {
  preset: 'ultrafast',
  tune: 'zerolatency',
  profile: 'baseline',
  threads: '1',
  'forced-idr': '1',
  'x264-params': 'annexb=1:repeat-headers=1:keyint=infinite:scenecut=0:bframes=0:ref=1',
} as const;

Log.setLevel(AV_LOG_ERROR);

/** One run of x264 over pictures of one size. Its native memory is freed by `close`. */
export class H264Session {
  readonly #size: Size;
  readonly #context: CodecContext;
  readonly #scaler = new SoftwareScaleContext();
  readonly #rgba: Frame;
  readonly #yuv: Frame;
  readonly #packet = new Packet();
  readonly #source: Size;
  readonly #read: Size;
  #codec: string | undefined;
  #lastUs = 0;

  constructor(source: Size, size: Size, crf: number) {
    this.#source = source;
    this.#size = size;
    const scaled = Math.max(size.width, size.height) < Math.max(source.width, source.height) - 1;
    // Cropped rather than scaled by one pixel, which would blur every letter.
    this.#read = scaled ? source : size;
    this.#context = openEncoder(size, crf);
    this.#rgba = createFrame(AV_PIX_FMT_RGBA, source);
    this.#yuv = createFrame(AV_PIX_FMT_YUV420P, size);
    this.#yuv.colorSpace = AVCOL_SPC_BT709;
    check(this.#yuv.getBuffer(0), 'frame');
    this.#scaler.allocContext();
    // The mean of the pixels that a sample covers, for colour too: thin coloured letters keep their colour.
    check(this.#scaler.setOption('sws_flags', 'area'), 'scaler');
    this.#packet.alloc();
  }

  encode(pixels: Uint8Array, key: boolean, capturedAtUs: number): EncodedPicture {
    this.#convert(pixels);
    // The encoder wants times that rise, also when the wall clock is set back.
    this.#lastUs = Math.max(this.#lastUs + 1, capturedAtUs);
    this.#yuv.pts = BigInt(this.#lastUs);
    this.#yuv.pictType = key ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
    check(this.#context.sendFrameSync(this.#yuv), 'encoder');
    check(this.#context.receivePacketSync(this.#packet), 'encoder');
    try {
      return this.#take();
    } finally {
      this.#packet.unref();
    }
  }

  close(): void {
    this.#context.freeContext();
    this.#scaler.freeContext();
    this.#rgba.free();
    this.#yuv.free();
    this.#packet.free();
  }

  #convert(pixels: Uint8Array): void {
    const frame = this.#rgba;
    frame.width = this.#source.width;
    frame.height = this.#source.height;
    // The frame points at the device's own pixels from here on; they are read before this method returns.
    check(frame.fromBuffer(Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength)), 'frame');
    frame.width = this.#read.width;
    frame.height = this.#read.height;
    check(this.#scaler.scaleFrameSync(this.#yuv, frame), 'scaler');
  }

  #take(): EncodedPicture {
    const { data, isKeyframe: key } = this.#packet;
    if (!data) throw new Error('the encoder gave an empty packet');
    const payload = new Uint8Array(data);
    this.#codec ??= codecString(payload);
    return { key, codec: this.#codec, ...this.#size, payload };
  }
}

function openEncoder({ width, height }: Size, crf: number): CodecContext {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264);
  if (!codec) throw new Error('this build of FFmpeg has no libx264');
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = width;
  context.height = height;
  context.pixelFormat = AV_PIX_FMT_YUV420P;
  context.timeBase = MICROSECONDS;
  context.framerate = new Rational(FPS, 1);
  context.colorRange = AVCOL_RANGE_JPEG;
  context.colorSpace = AVCOL_SPC_BT709;
  context.colorPrimaries = AVCOL_PRI_BT709;
  context.colorTrc = AVCOL_TRC_BT709;
  // Not by a Dictionary given to open2: FFmpeg frees that, node-av frees it again, and the process dies at its end.
  for (const [name, value] of Object.entries({ ...OPTIONS, crf: String(crf) })) {
    check(context.setOption(name, value), `option ${name}`);
  }
  check(context.open2Sync(codec), 'encoder');
  return context;
}

function createFrame(format: AVPixelFormat, { width, height }: Size): Frame {
  const frame = new Frame();
  frame.alloc();
  frame.format = format;
  frame.width = width;
  frame.height = height;
  frame.colorRange = AVCOL_RANGE_JPEG;
  frame.colorPrimaries = AVCOL_PRI_BT709;
  frame.colorTrc = AVCOL_TRC_BT709;
  return frame;
}

function check(result: number, what: string): void {
  FFmpegError.throwIfError(result, what);
}
