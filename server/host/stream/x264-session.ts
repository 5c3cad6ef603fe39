import { availableParallelism } from 'node:os';
import {
  AV_FRAME_DATA_VIDEO_HINT,
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
import type { Rect } from '../../device/driver.ts';
import { codecString } from '../../h264/codec-string.ts';
import { payloadOf } from '../../link/packet-memory.ts';
import { inFlight } from '../in-flight.ts';
import { convertInSlices } from './convert-in-slices.ts';
import type { Size } from './fit.ts';
import type { EncodedPicture } from './picture-encoder.ts';
import type { YuvPlanes } from './rgba-to-yuv.ts';
import { videoHintBytes, writeVideoHint } from './video-hint.ts';

const MICROSECONDS = new Rational(1, 1_000_000);
/** The frame rate that the stream's level is chosen for. Pictures carry their true times. */
const FPS = 60;

/**
 * Up to this share of the picture what changed is converted on the device's own thread, in half a millisecond: it costs
 * less than the scaler, which takes all of it, but on the thread pool.
 */
const PARTIAL_SHARE_MAX = 0.25;

/**
 * In a picture up to this size a change up to that share is encoded on the device's own thread too, in some 0.7 ms: that is less than what
 * it takes to wake a thread of the pool, which has slept and has a low priority. x264 looks at every block, also where nothing changed.
 */
const HERE_PIXELS_MAX = 1_000_000;

/** Threads of x264, each of which encodes a slice of every picture: two take half of the time of one. */
export const SLICES = Math.min(2, availableParallelism());

/** Pixels of a smaller picture that a changed pixel may reach beyond its own place. */
const SCALED_REACH = 2;

/**
 * With `zerolatency` the threads share a picture, which comes out of x264 in the call that puts it in. x264 writes the VUI with
 * its bitstream restriction by itself: `max_num_reorder_frames` is 0, so decoders show each picture at once. A constant
 * quantiser needs no analysis of pictures ahead, and a screen that rests is not refined again and again.
 */
export const X264_OPTIONS = {
  preset: 'ultrafast',
  tune: 'zerolatency',
  profile: 'baseline',
  'forced-idr': '1',
  mb_info: '1',
} as const;
export const X264_PARAMS = 'annexb=1:repeat-headers=1:keyint=infinite:scenecut=0:bframes=0:ref=1';

Log.setLevel(AV_LOG_ERROR);

/** A picture to encode. */
export interface SessionPicture {
  readonly pixels: Uint8Array;
  /** The areas that differ from the picture before; `undefined` when unknown. */
  readonly changed: readonly Rect[] | undefined;
}

/**
 * One run of x264 over pictures of one size. What takes long, of the scaler's and the encoder's work, is done on the thread pool, so that
 * inputs need not wait for it, and so is the encoder's beginning, which takes 8 ms; one picture at a time. Its native memory is freed by
 * `close`.
 */
export class X264Session {
  readonly #size: Size;
  readonly #context: CodecContext;
  readonly #encoder: Codec;
  #opening: Promise<void> | undefined;
  readonly #scaler = new SoftwareScaleContext();
  readonly #rgba: Frame;
  readonly #yuv: Frame;
  readonly #packet = new Packet();
  readonly #source: Size;
  readonly #read: Size;
  readonly #planes: YuvPlanes;
  #codec: string | undefined;
  #lastUs = 0;
  #reading: Promise<void> | undefined;
  #encoding: Promise<EncodedPicture> | undefined;
  #closed = false;

  /** @param setId identifier of its parameter sets, 0 to 31 */
  constructor(source: Size, size: Size, qp: number, setId: number) {
    this.#source = source;
    this.#size = size;
    const scaled = Math.max(size.width, size.height) < Math.max(source.width, source.height) - 1;
    // Cropped rather than scaled by one pixel, which would blur every letter.
    this.#read = scaled ? source : size;
    this.#encoder = findEncoder();
    this.#context = encoderContext(this.#encoder, size, qp, setId);
    this.#rgba = createFrame(AV_PIX_FMT_RGBA, source);
    this.#yuv = createFrame(AV_PIX_FMT_YUV420P, size);
    this.#yuv.colorSpace = AVCOL_SPC_BT709;
    check(this.#yuv.getBuffer(0), 'frame');
    this.#planes = planesOf(this.#yuv, size);
    this.#scaler.allocContext();
    // The mean of the pixels that a sample covers, for colour too: thin coloured letters keep their colour.
    check(this.#scaler.setOption('sws_flags', 'area'), 'scaler');
    this.#packet.alloc();
  }

  /** Settles, and never rejects, when the pixels of the newest picture may change; `undefined` before the first. */
  get reading(): Promise<void> | undefined {
    return this.#reading;
  }

  /** Not to be called again before the promise has settled. */
  async encode(picture: SessionPicture, key: boolean, capturedAtUs: number): Promise<EncodedPicture> {
    this.#encoding = inFlight.track(this.#encode(picture, key, capturedAtUs));
    try {
      return await this.#encoding;
    } finally {
      this.#encoding = undefined;
      if (this.#closed) this.#free();
    }
  }

  /** Waits for the running encoding first: the thread pool works on this memory. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#encoding) this.#free();
  }

  #free(): void {
    this.#context.freeContext();
    this.#scaler.freeContext();
    this.#rgba.free();
    this.#yuv.free();
    this.#packet.free();
  }

  async #encode({ pixels, changed }: SessionPicture, key: boolean, capturedAtUs: number): Promise<EncodedPicture> {
    const converting = this.#convert(pixels, changed);
    this.#reading = converting.catch(() => undefined);
    this.#opening ??= this.#open();
    // The thread pool works on both until both have settled, even if one fails.
    for (const outcome of await Promise.allSettled([converting, this.#opening])) {
      if (outcome.status === 'rejected') throw outcome.reason;
    }
    this.#hint(changed);
    // The encoder wants times that rise, also when the wall clock is set back.
    this.#lastUs = Math.max(this.#lastUs + 1, capturedAtUs);
    this.#yuv.pts = BigInt(this.#lastUs);
    this.#yuv.pictType = key ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
    // x264 has read the frame when this settles: nothing is looked at ahead.
    const sent = this.#isQuick(changed)
      ? this.#context.sendFrameSync(this.#yuv)
      : await this.#context.sendFrame(this.#yuv);
    check(sent, 'encoder');
    check(this.#context.receivePacketSync(this.#packet), 'encoder');
    try {
      return this.#take();
    } finally {
      this.#packet.unref();
    }
  }

  #isQuick(changed: readonly Rect[] | undefined): boolean {
    const { width, height } = this.#size;
    return width * height <= HERE_PIXELS_MAX && isSmall(changed, this.#read);
  }

  async #open(): Promise<void> {
    check(await this.#context.open2(this.#encoder), 'encoder');
  }

  /** Brings the encoder's picture up to date; the device's pixels are read when the promise settles. */
  async #convert(pixels: Uint8Array, changed: readonly Rect[] | undefined): Promise<void> {
    const partial = changed?.length === 0 || (this.#read === this.#size && isSmall(changed, this.#size));
    if (!changed || !partial || pixels.byteOffset % 4 !== 0) return this.#convertAll(pixels);
    const words = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.byteLength / 4);
    return convertInSlices(words, this.#source.width, this.#planes, changed);
  }

  async #convertAll(pixels: Uint8Array): Promise<void> {
    const frame = this.#rgba;
    frame.width = this.#source.width;
    frame.height = this.#source.height;
    // The frame points at the device's own pixels from here on.
    check(frame.fromBuffer(Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength)), 'frame');
    frame.width = this.#read.width;
    frame.height = this.#read.height;
    check(await this.#scaler.scaleFrame(this.#yuv, frame), 'scaler');
    // To ask keeps them in memory until here.
    if (pixels.length === 0) throw new Error('the pixels were given away while they were read');
  }

  /** Tells the encoder where it need not look. */
  #hint(changed: readonly Rect[] | undefined): void {
    const frame = this.#yuv;
    frame.removeSideData(AV_FRAME_DATA_VIDEO_HINT);
    if (!changed) return;
    const rects = changed.map((rect) => within(rect, this.#read, this.#size)).filter((rect) => rect !== undefined);
    writeVideoHint(frame.newSideData(AV_FRAME_DATA_VIDEO_HINT, videoHintBytes(rects)), rects);
  }

  #take(): EncodedPicture {
    const { data, isKeyframe: key } = this.#packet;
    if (!data) throw new Error('the encoder gave an empty packet');
    const payload = payloadOf(data);
    this.#codec ??= codecString(payload);
    return { key, codec: this.#codec, ...this.#size, payload };
  }
}

function findEncoder(): Codec {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264);
  if (!codec) throw new Error('this build of FFmpeg has no libx264');
  return codec;
}

/** An encoder that is still to be opened. */
function encoderContext(codec: Codec, { width, height }: Size, qp: number, setId: number): CodecContext {
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
  // Not by a Dictionary given to `open2`: FFmpeg frees that, node-av frees it again, and the process dies at its end.
  const own = { 'x264-params': `${X264_PARAMS}:sps-id=${setId}`, qp: String(qp), threads: String(SLICES) };
  for (const [name, value] of Object.entries({ ...X264_OPTIONS, ...own })) {
    check(context.setOption(name, value), `option ${name}`);
  }
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

/** The frame's own memory. */
function planesOf(frame: Frame, { width, height }: Size): YuvPlanes {
  const [y, u, v] = frame.data ?? [];
  const [lumaStride, chromaStride] = frame.linesize;
  if (!y || !u || !v || !lumaStride || !chromaStride) throw new Error('the frame has no planes');
  return { width, height, y, u, v, lumaStride, chromaStride };
}

function isSmall(rects: readonly Rect[] | undefined, { width, height }: Size): boolean {
  const pixels = rects?.reduce((sum, rect) => sum + rect.width * rect.height, 0) ?? Number.POSITIVE_INFINITY;
  return pixels <= width * height * PARTIAL_SHARE_MAX;
}

/** Where a rectangle of what is read lies in the encoded picture; `undefined` when it is cut off. */
function within(rect: Rect, read: Size, size: Size): Rect | undefined {
  const reach = read === size ? 0 : SCALED_REACH;
  const [across, down] = [size.width / read.width, size.height / read.height];
  const x = Math.max(0, Math.floor(rect.x * across) - reach);
  const y = Math.max(0, Math.floor(rect.y * down) - reach);
  const right = Math.min(size.width, Math.ceil((rect.x + rect.width) * across) + reach);
  const bottom = Math.min(size.height, Math.ceil((rect.y + rect.height) * down) + reach);
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : undefined;
}

function check(result: number, what: string): void {
  FFmpegError.throwIfError(result, what);
}
