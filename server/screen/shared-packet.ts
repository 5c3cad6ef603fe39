import { SCREEN_HEADER_BYTES, type ScreenEncoding, writeScreenHeader } from '@runcloud/protocol';
import type { StreamPicture } from '../link/messages.ts';
import type { PacketNumbers, SlotPicture } from './viewer-slot.ts';

/**
 * The packet of one picture, in one buffer for all viewers: the payload is copied once, and the header is written anew
 * for each of them. A socket takes the bytes before its `send` returns, so they may change after it.
 */
export class SharedPacket implements SlotPicture {
  readonly picture: StreamPicture;
  readonly #bytes: Uint8Array;

  constructor(picture: StreamPicture) {
    this.picture = picture;
    this.#bytes = new Uint8Array(SCREEN_HEADER_BYTES + picture.payload.byteLength);
    this.#bytes.set(picture.payload, SCREEN_HEADER_BYTES);
  }

  get key(): boolean {
    return this.picture.key;
  }

  get encoding(): ScreenEncoding {
    return this.picture.encoding;
  }

  get byteLength(): number {
    return this.#bytes.byteLength;
  }

  /** The packet as one viewer gets it; valid until the next call. */
  addressedTo(streamId: number, { seq, leftOut }: PacketNumbers, wallMs: number): Uint8Array {
    const { payload: _, codec: _codec, encodings: _encodings, ...header } = this.picture;
    const handOverMs = wallMs - header.capturedAtUs / 1_000;
    writeScreenHeader(this.#bytes, { ...header, streamId, seq, leftOut, handOverMs });
    return this.#bytes;
  }
}
