import { randomInt } from 'node:crypto';
import { SCREEN_HEADER_BYTES, SCREEN_PACKET_KIND } from '@runcloud/protocol/terms';
import type { Channel } from './channel.ts';
import { COUNT_BYTES, decodeCount, encodeCount, FRAME, type Frame } from './frames.ts';

/** Of all pictures that an edge keeps of one host: a second of a few screens in motion. */
const KEPT_BYTES_MAX = 4_194_304;
/** Of pictures: as many as 4 bytes can tell. */
const NUMBERS = 2 ** 32;

/** The latest pictures between a host and an edge, by number. Each end keeps what it has added, so both keep the same ones. */
class LatestPictures<Picture> {
  readonly #kept = new Map<number, { readonly picture: Picture; readonly bytes: number }>();
  #bytes = 0;

  add(number: number, picture: Picture, bytes: number): void {
    this.#delete(number);
    this.#kept.set(number, { picture, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= KEPT_BYTES_MAX) return;
      this.#delete(oldest);
    }
  }

  get(number: number): Picture | undefined {
    return this.#kept.get(number)?.picture;
  }

  #delete(number: number): void {
    this.#bytes -= this.#kept.get(number)?.bytes ?? 0;
    this.#kept.delete(number);
  }
}

export const isPicture = (message: Uint8Array): boolean => message[0] === SCREEN_PACKET_KIND;

/** A host's pictures on their way to one edge, over the channels of all viewers there: each goes once. */
export class SentPictures {
  /** By the array of the packet, which is the same for all viewers: only its header is rewritten. */
  readonly #numbers = new WeakMap<Uint8Array, number>();
  readonly #latest = new LatestPictures<true>();
  /** From anywhere, so that a number is never that of a picture from before the host was started anew. */
  #last = randomInt(NUMBERS / 2);

  /** The number of the latest one. */
  get last(): number {
    return this.#last;
  }

  /**
   * Sends a packet whole, or its header alone where the edge has the rest.
   * @param after the number of the latest picture when the channel was opened: the edge is not trusted with earlier ones, since it may
   *   have lost them with the channel before
   */
  send(channel: Channel, packet: Uint8Array, after: number): void {
    const number = this.#numbers.get(packet) ?? 0;
    const bytes = packet.byteLength;
    if (number > after && this.#latest.get(number)) {
      return channel.sendShaped(FRAME.again, bytes, encodeCount(number), packet.subarray(0, SCREEN_HEADER_BYTES));
    }
    this.#numbers.set(packet, ++this.#last);
    this.#latest.add(this.#last, true, bytes);
    channel.sendShaped(FRAME.picture, bytes, encodeCount(this.#last), packet);
  }
}

/** One host's pictures at an edge. */
export class ReceivedPictures {
  readonly #latest = new LatestPictures<Uint8Array>();

  /**
   * A frame as its channel takes it: one of a picture becomes `data`, valid until the next call. `undefined` for one whose picture is not
   * here, because it was lost.
   */
  whole(frame: Frame): Frame | undefined {
    if (frame.type !== FRAME.picture && frame.type !== FRAME.again) return frame;
    const number = decodeCount(frame.payload.subarray(0, COUNT_BYTES));
    const sent = frame.payload.subarray(COUNT_BYTES);
    if (frame.type === FRAME.picture) this.#latest.add(number, new Uint8Array(sent), sent.byteLength);
    const packet = this.#latest.get(number);
    if (!packet) return undefined;
    packet.set(sent.subarray(0, SCREEN_HEADER_BYTES));
    return { ...frame, type: FRAME.data, payload: packet };
  }
}
