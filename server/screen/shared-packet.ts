import { type ScreenEncoding, writeScreenAddress, writeScreenPicture } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { StreamPicture } from '../link/messages.ts';
import { packetAround } from '../link/packet-memory.ts';
import type { PacketNumbers, SlotPicture } from './viewer-slot.ts';

/**
 * The packet of one picture, in one buffer for all viewers: all is written once but for what
 * each of them has for itself. A socket takes the bytes before its `send` returns, so they may change after it.
 */
export class SharedPacket implements SlotPicture {
  readonly picture: StreamPicture;
  readonly #bytes: Uint8Array;
  readonly #header: DataView;
  /** When the picture was taken, on the clock that never goes back. */
  readonly #capturedAtMs: number;

  constructor(picture: StreamPicture, clock: Pick<Clock, 'monotonicMs' | 'wallMs'>) {
    this.picture = picture;
    this.#capturedAtMs = clock.monotonicMs() - (clock.wallMs() - picture.capturedAtUs / 1_000);
    this.#bytes = packetAround(picture.payload);
    this.#header = new DataView(this.#bytes.buffer);
    writeScreenPicture(this.#header, picture);
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
  addressedTo(streamId: number, { seq, leftOut }: PacketNumbers, nowMs: number): Uint8Array {
    writeScreenAddress(this.#header, { streamId, seq, leftOut, handOverMs: nowMs - this.#capturedAtMs });
    return this.#bytes;
  }
}
