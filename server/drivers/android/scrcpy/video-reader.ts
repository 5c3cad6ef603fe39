import type { PictureSize } from '../../video/video-source.ts';
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
/** Four seconds of the bit rate that is asked for in one picture; some dozen of them may wait to be decoded. */
const PACKET_BYTES_MAX = 4 * 1024 * 1024;
/** Parameter sets have some dozen bytes. */
const CONFIGURATION_BYTES_MAX = 65_536;

type State = 'name' | 'codec' | 'size' | 'head' | 'payload';

/**
 * Takes the stream of a video socket apart, in whatever pieces it comes, from the name of the device on. Throws a
 * `RangeError` for bytes that are no such stream, before anything is kept for them.
 */
export class VideoReader {
  readonly #form: WireForm;
  #state: State = 'name';
  #wanted = NAME_BYTES;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #configures = false;

  constructor(form: WireForm) {
    this.#form = form;
  }

  *push(piece: Uint8Array): Generator<VideoPart, void, undefined> {
    this.#pieces.push(piece);
    this.#size += piece.length;
    while (this.#size >= this.#wanted) {
      const part = this.#take(this.#cut());
      if (part) yield part;
    }
  }

  /** The next bytes that are wanted. */
  #cut(): Buffer {
    const [first] = this.#pieces;
    const bytes =
      first && this.#pieces.length === 1
        ? Buffer.from(first.buffer, first.byteOffset, first.length)
        : Buffer.concat(this.#pieces, this.#size);
    const rest = bytes.subarray(this.#wanted);
    this.#pieces = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    return bytes.subarray(0, this.#wanted);
  }

  #take(bytes: Buffer): VideoPart | undefined {
    switch (this.#state) {
      case 'name':
        return this.#await('codec', CODEC_BYTES);
      case 'codec':
        requireH264(bytes.readUInt32BE(0));
        return this.#form === 3 ? this.#await('size', SIZE_BYTES) : this.#await('head', HEAD_BYTES);
      case 'size':
        this.#await('head', HEAD_BYTES);
        return sizePart(bytes.readUInt32BE(0), bytes.readUInt32BE(4));
      case 'head':
        return this.#takeHead(bytes);
      case 'payload':
        this.#await('head', HEAD_BYTES);
        return { kind: this.#configures ? 'configuration' : 'picture', payload: bytes };
    }
  }

  #takeHead(bytes: Buffer): VideoPart | undefined {
    const flags = bytes[0] ?? 0;
    if (this.#form === 4 && (flags & SESSION) !== 0) return sizePart(bytes.readUInt32BE(4), bytes.readUInt32BE(8));
    this.#configures = (flags & CONFIGURATION[this.#form]) !== 0;
    const length = bytes.readUInt32BE(8);
    if (length < 1 || length > (this.#configures ? CONFIGURATION_BYTES_MAX : PACKET_BYTES_MAX)) {
      throw new RangeError(`a packet of ${length} bytes cannot be`);
    }
    return this.#await('payload', length);
  }

  #await(state: State, bytes: number): undefined {
    this.#state = state;
    this.#wanted = bytes;
  }
}

function requireH264(codec: number): void {
  if (codec === H264) return;
  if (codec === DISABLED) throw new RangeError('the device has switched its video off');
  if (codec === MISCONFIGURED) throw new RangeError('the device could not set its encoder up');
  throw new RangeError('the video is not H.264');
}

function sizePart(width: number, height: number): VideoPart {
  if (width < 1 || height < 1 || width > VIDEO_EDGE_MAX || height > VIDEO_EDGE_MAX) {
    throw new RangeError(`a screen of ${width}×${height} pixels cannot be`);
  }
  return { kind: 'size', width, height };
}
