import {
  AV_FRAME_DATA_VIDEO_HINT,
  AV_LOG_ERROR,
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AVCOL_RANGE_JPEG,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Log, Packet, Rational } from 'node-av/lib';
import { videoHintBytes, writeVideoHint } from '../../server/host/stream/video-hint.ts';
import { SLICES, X264_OPTIONS, X264_PARAMS } from '../../server/host/stream/x264-session.ts';
import { SCREEN_SIZE } from '../photon/marked-screen.ts';
import { type Area, BarePainter } from './bare-painter.ts';
import { WHOLE } from './bare-screen-messages.ts';
import { answerTaps } from './bare-screen-worker.ts';

/**
 * Encodes the screen after a tap by x264 with the options of the service, in this thread. Paints into the encoder's own picture, so that
 * nothing is converted.
 */
const OPTIONS = {
  ...X264_OPTIONS,
  threads: String(SLICES),
  // The service's, for its default quality.
  qp: '19',
  'x264-params': X264_PARAMS,
};

const { width, height } = SCREEN_SIZE;

function check(result: number, what: string): void {
  FFmpegError.throwIfError(result, what);
}

function openEncoder(): CodecContext {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264);
  if (!codec) throw new Error('this build of FFmpeg has no libx264');
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = width;
  context.height = height;
  context.pixelFormat = AV_PIX_FMT_YUV420P;
  context.timeBase = new Rational(1, 1_000);
  context.framerate = new Rational(60, 1);
  context.colorRange = AVCOL_RANGE_JPEG;
  for (const [name, value] of Object.entries(OPTIONS)) check(context.setOption(name, value), `option ${name}`);
  check(context.open2Sync(codec), 'encoder');
  return context;
}

Log.setLevel(AV_LOG_ERROR);
const encoder = openEncoder();
const packet = new Packet();
packet.alloc();
const frame = new Frame();
frame.alloc();
frame.format = AV_PIX_FMT_YUV420P;
frame.width = width;
frame.height = height;
frame.colorRange = AVCOL_RANGE_JPEG;
check(frame.getBuffer(0), 'frame');
// A `Buffer` checks the arguments of each `fill`, which takes longer than to fill.
const planes = (frame.data ?? []).map(
  ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
);
const samples = new Map<number, readonly number[]>();

/** Full range, BT.709. */
function samplesOf(colour: number): readonly number[] {
  const known = samples.get(colour);
  if (known) return known;
  const [red, green, blue] = [colour >> 16, (colour >> 8) & 255, colour & 255];
  const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const found = [luma, 128 + (blue - luma) / 1.8556, 128 + (red - luma) / 1.5748].map(Math.round);
  samples.set(colour, found);
  return found;
}

const painter = new BarePainter((area, colour) => {
  for (const [index, sample] of samplesOf(colour).entries()) {
    const step = index === 0 ? 1 : 2;
    const stride = frame.linesize[index] ?? 0;
    const [left, right] = [Math.floor(area.x / step), Math.ceil((area.x + area.width) / step)];
    const bottom = Math.ceil((area.y + area.height) / step);
    for (let row = Math.floor(area.y / step); row < bottom; row++) {
      planes[index]?.fill(sample, row * stride + left, row * stride + right);
    }
  }
});

let pictures = 0;

function encode(changed: readonly Area[] | undefined): Uint8Array {
  frame.removeSideData(AV_FRAME_DATA_VIDEO_HINT);
  if (changed) writeVideoHint(frame.newSideData(AV_FRAME_DATA_VIDEO_HINT, videoHintBytes(changed)), changed);
  frame.pts = BigInt(++pictures);
  frame.pictType = changed ? AV_PICTURE_TYPE_NONE : AV_PICTURE_TYPE_I;
  check(encoder.sendFrameSync(frame), 'encoder');
  check(encoder.receivePacketSync(packet), 'encoder');
  try {
    return Uint8Array.from(packet.data ?? []);
  } finally {
    packet.unref();
  }
}

answerTaps((tap) => encode(tap.x === WHOLE ? undefined : painter.paint(tap)));
