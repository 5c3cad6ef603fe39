import { SCREEN_HEADER_BYTES, type ScreenEncoding, writeScreenAddress, writeScreenHeader } from '@runcloud/protocol';
import type { StreamPicture } from '../link/messages.ts';
import type { PacketNumbers, SlotPicture } from './viewer-slot.ts';

/**
 * The packet of one picture, in one buffer for all viewers: all is written once but for what
 * each of them has for itself. A socket takes the bytes before its `send` returns, so they may change after it.
 */
export class SharedPacket implements SlotPicture {
  readonly picture: StreamPicture;
  readonly #bytes: Uint8Array;
  readonly #header: DataView;

  constructor(picture: StreamPicture) {
    this.picture = picture;
    this.#bytes = new Uint8Array(SCREEN_HEADER_BYTES + picture.payload.byteLength);
    this.#bytes.set(picture.payload, SCREEN_HEADER_BYTES);
    this.#header = new DataView(this.#bytes.buffer);
    writeScreenHeader(this.#bytes, { ...picture, streamId: 0, seq: 0, leftOut: 0, handOverMs: 0 });
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
    const handOverMs = wallMs - this.picture.capturedAtUs / 1_000;
    writeScreenAddress(this.#header, { streamId, seq, leftOut, handOverMs });
    return this.#bytes;
  }
}
