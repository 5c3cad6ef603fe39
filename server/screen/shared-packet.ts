import { type ScreenEncoding, writeScreenAddress, writeScreenPicture } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { StreamPicture } from '../link/messages.ts';
import { packetAround } from '../link/packet-memory.ts';
import type { PacketNumbers, SlotPicture } from './viewer-slot.ts';

/**
 * The packet of one picture, in one buffer for all viewers: only the fields that differ between viewers are rewritten. A socket
 * copies the bytes before its `send` returns, so they may change afterwards.
 */
export class SharedPacket implements SlotPicture {
  readonly picture: StreamPicture;
  readonly #bytes: Uint8Array;
  readonly #header: DataView;
  /** Time of the capture on the monotonic clock. */
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

  /** The packet for one viewer; valid until the next call. */
  addressedTo(streamId: number, { seq, leftOut }: PacketNumbers, nowMs: number): Uint8Array {
    writeScreenAddress(this.#header, { streamId, seq, leftOut, handOverMs: nowMs - this.#capturedAtMs });
    return this.#bytes;
  }
}
