import type { BufferedReadableStream } from '@yume-chan/stream-extra';
import type { PictureSize } from '../../video/video-source.ts';
import { readBytes } from './read-bytes.ts';
import type { WireForm } from './server-file.ts';

/** Reads scrcpy's video socket (scrcpy, `doc/develop.md`, "Video and audio streams"). */
export type VideoPart =
  | ({ readonly kind: 'size' } & PictureSize)
  /** Parameter sets for the pictures that follow, in Annex B. */
  | { readonly kind: 'configuration'; readonly payload: Buffer }
  /** One picture, in Annex B. */
  | { readonly kind: 'picture'; readonly payload: Buffer };

const NAME_BYTES = 64;
const CODEC_BYTES = 4;
const SIZE_BYTES = 8;
const HEAD_BYTES = 12;
const H264 = 0x68323634;
const DISABLED = 0;
const MISCONFIGURED = 1;
/** Flags in a packet's first byte: version 4 has put one of its own before the others. */
const SESSION = 0x80;
const CONFIGURATION: Readonly<Record<WireForm, number>> = { 3: 0x80, 4: 0x40 };
/** The longest edge of the video that is asked for. Larger displays are scaled down to it, and their touches are as much less exact. */
export const VIDEO_EDGE_MAX = 2_560;
const PAYLOAD_BYTES_MAX = {
  /** Parameter sets have some dozen bytes. */
  configuration: 65_536,
  /** Four seconds of the bit rate that is asked for in one picture; some dozen of them may wait to be decoded. */
  picture: 4 * 1024 * 1024,
} as const;

/**
 * The parts of a video socket's stream, from the name of the device on, until it ends, which is an error. Throws a
 * `RangeError` for bytes that are no such stream, before anything is kept for them.
 */
export async function* readVideo(stream: BufferedReadableStream, form: WireForm): AsyncGenerator<VideoPart, never> {
  const read = (length: number) => readBytes(stream, length);
  await read(NAME_BYTES);
  requireH264((await read(CODEC_BYTES)).readUInt32BE(0));
  if (form === 3) yield sizePart(await read(SIZE_BYTES));
  for (;;) {
    const head = await read(HEAD_BYTES);
    const flags = head[0] ?? 0;
    if (form === 4 && (flags & SESSION) !== 0) {
      yield sizePart(head.subarray(HEAD_BYTES - SIZE_BYTES));
      continue;
    }
    const kind = (flags & CONFIGURATION[form]) === 0 ? 'picture' : 'configuration';
    const length = head.readUInt32BE(8);
    if (length < 1 || length > PAYLOAD_BYTES_MAX[kind]) throw new RangeError(`a packet of ${length} bytes cannot be`);
    yield { kind, payload: await read(length) };
  }
}

function requireH264(codec: number): void {
  if (codec === H264) return;
  if (codec === DISABLED) throw new RangeError('the device has switched its video off');
  if (codec === MISCONFIGURED) throw new RangeError('the device could not set its encoder up');
  throw new RangeError('the video is not H.264');
}

function sizePart(bytes: Buffer): VideoPart {
  const [width, height] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
  if (width < 1 || height < 1 || width > VIDEO_EDGE_MAX || height > VIDEO_EDGE_MAX) {
    throw new RangeError(`a screen of ${width}×${height} pixels cannot be`);
  }
  return { kind: 'size', width, height };
}
