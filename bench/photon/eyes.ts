import jpeg from '@julusian/jpeg-turbo';
import { readTiles, type ScreenTile } from '@runcloud/protocol/terms';
import {
  AV_CODEC_FLAG_LOW_DELAY,
  AV_CODEC_ID_H264,
  AV_LOG_ERROR,
  AV_PIX_FMT_RGBA,
  AVCOL_RANGE_JPEG,
} from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Log, Packet, SoftwareScaleContext } from 'node-av/lib';
import { SCREEN_SIZE } from './marked-screen.ts';
import type { Place } from './places.ts';

Log.setLevel(AV_LOG_ERROR);

/** Decoded pixels, RGBA. */
export interface Seen {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Decodes pictures to look at them. It must get every packet of a stream, in order. Its memory is its own and stays: to collect three
 * megabytes of garbage for each picture would hold up those that arrive, and count as theirs.
 */
export interface Eye {
  /** What it sees is valid until the next call. */
  see(payload: Uint8Array): Seen;
  close(): void;
}

/** Pixels in each direction around a place that are examined: the middle of the mark that a touch paints. */
const REACH = 4;
/** Minimum excess of red over green in a mark. The background has at most as much red as green. */
const RED_EXCESS = 30;

/** Whether a touch has left its mark here: Touch Lab and the page of the control paint it pink on dark. */
export function hasMark({ pixels, width, height }: Seen, { x, y }: Place): boolean {
  const [middleX, middleY] = [Math.floor(x * width), Math.floor(y * height)];
  let excess = 0;
  for (let row = middleY - REACH; row <= middleY + REACH; row++) {
    for (let column = middleX - REACH; column <= middleX + REACH; column++) {
      const at = (row * width + column) * 4;
      excess += (pixels[at] ?? 0) - (pixels[at + 1] ?? 0);
    }
  }
  return excess / (2 * REACH + 1) ** 2 > RED_EXCESS;
}

/** Memory for the pixels of the largest screen that is watched. */
const screenMemory = (): Buffer => Buffer.alloc(SCREEN_SIZE.width * SCREEN_SIZE.height * 4);

/** Decodes a JPEG into the memory by libjpeg-turbo. */
function decodeJpeg(image: Uint8Array, memory: Buffer): Seen {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  const { data, width, height } = jpeg.decompressSync(bytes, memory, { format: jpeg.FORMAT_RGBA });
  return { pixels: data, width, height };
}

export function jpegEye(): Eye {
  const memory = screenMemory();
  return { see: (payload) => decodeJpeg(payload, memory), close: () => undefined };
}

/** Decodes the JPEGs of tiles and keeps the picture that they make. */
export function tilesEye(): Eye {
  const [shown, tileMemory] = [screenMemory(), screenMemory()];
  let seen: Seen = { pixels: new Uint8Array(), width: 0, height: 0 };
  const draw = ({ x, y, width, height, image }: ScreenTile) => {
    if (x === 0 && y === 0 && width >= seen.width && height >= seen.height) {
      seen = decodeJpeg(image, shown);
      return;
    }
    const { pixels } = decodeJpeg(image, tileMemory);
    for (let row = 0; row < height; row++) {
      const from = row * width * 4;
      seen.pixels.set(pixels.subarray(from, from + width * 4), ((y + row) * seen.width + x) * 4);
    }
  };
  return {
    see(payload) {
      const tiles = readTiles(new Uint8Array(payload));
      if (!tiles) throw new Error('a packet is no tiles');
      for (const tile of tiles) draw(tile);
      return seen;
    },
    close: () => undefined,
  };
}

/** Decodes H.264 by FFmpeg, in one thread. Throws if a packet does not yield its picture at once. */
export function h264Eye(): Eye {
  const codec = Codec.findDecoder(AV_CODEC_ID_H264);
  if (!codec) throw new Error('this build of FFmpeg cannot decode H.264');
  const context = new CodecContext();
  context.allocContext3(codec);
  context.threadCount = 1;
  context.flags = AV_CODEC_FLAG_LOW_DELAY;
  FFmpegError.throwIfError(context.open2Sync(codec), 'decoder');
  const packet = new Packet();
  packet.alloc();
  const frame = new Frame();
  frame.alloc();
  const scaler = new SoftwareScaleContext();
  scaler.allocContext();
  const rgba = new Frame();
  rgba.alloc();
  let pixels: Buffer | undefined;
  return {
    see(payload) {
      packet.data = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
      FFmpegError.throwIfError(context.sendPacketSync(packet), 'decoder');
      FFmpegError.throwIfError(context.receiveFrameSync(frame), 'decoder');
      const { width, height } = frame;
      if (rgba.width !== width || rgba.height !== height) {
        rgba.unref();
        rgba.format = AV_PIX_FMT_RGBA;
        rgba.width = width;
        rgba.height = height;
        rgba.colorRange = AVCOL_RANGE_JPEG;
        FFmpegError.throwIfError(rgba.getBuffer(1), 'frame');
        pixels = rgba.data?.[0];
      }
      FFmpegError.throwIfError(scaler.scaleFrameSync(rgba, frame), 'scaler');
      frame.unref();
      if (!pixels) throw new Error('the frame has no pixels');
      return { pixels, width, height };
    },
    close() {
      context.freeContext();
      scaler.freeContext();
      for (const each of [packet, frame, rgba]) each.free();
    },
  };
}
