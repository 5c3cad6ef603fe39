import { RecordRing } from '../flow/record-ring.ts';
import { LinkEstimate } from './link-estimate.ts';
import { PacketTrain } from './packet-train.ts';

/** What is asked for a packet that may go. */
export interface Permit {
  /** The packet needs the one before it: leaving it out costs a key packet, so it may queue for longer. */
  readonly delta: boolean;
  /** Bytes that wait in this process for the client to read. */
  readonly bufferedBytes: number;
}

class InFlight {
  seq = 0;
  bytes = 0;
  sentAtMs = 0;
  /** Bytes that were acknowledged before this packet was sent, and when the last of them were. */
  deliveredBefore = 0;
  deliveredAtMs = 0;
  busyMs = 0;
  /** When the link is thought to be done with it, on the clock of the sending side. */
  leavesAtMs = 0;
}

/** A whole picture goes when the link is about to be free: what it would wait for, it would only age in the meantime. */
const PICTURE_AHEAD_MS = 15;
/** Beside the largest packet on its way: those that follow a key picture always wait for it. */
const DELTA_AHEAD_MS = 100;
/** An acknowledgement that is later than this says that the link stands still: nothing is added to what waits there. */
const LATE_MS = 100;
/** What may follow the first key packet before the first acknowledgement has shown what the link can do. */
const BLIND_BYTES = 49_152;
const BLIND_MS = 700;
/** Above this no picture is added, so that answers never wait for more than one. */
export const SCREEN_BUFFERED_BYTES_MAX = 65_536;
/** Memory for one viewer; at 60 packets a second a round trip of more than 4 s. */
const IN_FLIGHT_MAX = 256;

/**
 * Decides when a viewer may be sent the next packet, by what it has acknowledged. It follows the link in its mind: a
 * packet goes when those before it are about to have left, so that the link is kept busy and nothing piles up in it.
 * Pure arithmetic on the times that it is given.
 */
export class FlowControl {
  readonly #link = new LinkEstimate();
  readonly #train = new PacketTrain();
  /** Oldest first; a handful, since the window is one round trip wide. */
  readonly #inFlight = new RecordRing(() => new InFlight());
  #inFlightBytes = 0;
  #deliveredBytes = 0;
  #deliveredAtMs = 0;
  #refusedAtMs = Number.NEGATIVE_INFINITY;
  /** When the link is thought to be done with all that was sent. */
  #freeAtMs = Number.NEGATIVE_INFINITY;

  get unacknowledgedBytes(): number {
    return this.#inFlightBytes;
  }

  /** Milliseconds until a packet may go: 0 now, infinite not before an acknowledgement, or bytes of the buffer leave. */
  waitMs(nowMs: number, { delta, bufferedBytes }: Permit): number {
    if (bufferedBytes > SCREEN_BUFFERED_BYTES_MAX) return Number.POSITIVE_INFINITY;
    const oldest = this.#inFlight.at(0);
    if (!oldest) return 0;
    const waitMs = this.#waitMs(nowMs, oldest, delta);
    if (waitMs > 0) this.#refusedAtMs = nowMs;
    return waitMs;
  }

  sent(seq: number, bytes: number, nowMs: number): void {
    if (this.#inFlight.size === 0) this.#deliveredAtMs = nowMs;
    const busyMs = Math.max(0, this.#freeAtMs - nowMs);
    this.#freeAtMs = nowMs + busyMs + this.#link.transmissionMs(bytes);
    const packet = this.#inFlight.push();
    packet.seq = seq;
    packet.bytes = bytes;
    packet.sentAtMs = nowMs;
    packet.deliveredBefore = this.#deliveredBytes;
    packet.deliveredAtMs = this.#deliveredAtMs;
    packet.busyMs = busyMs;
    packet.leavesAtMs = this.#freeAtMs;
    this.#inFlightBytes += bytes;
  }

  /** The viewer has this packet and all before it. What was never sent, or is known already, is ignored. */
  acknowledged(seq: number, nowMs: number): void {
    let newest: InFlight | undefined;
    if (seq > (this.#inFlight.newest?.seq ?? -1)) return;
    for (let next = this.#inFlight.at(0); next && next.seq <= seq; next = this.#inFlight.at(0)) {
      newest = this.#inFlight.shift();
      this.#inFlightBytes -= next.bytes;
      this.#deliveredBytes += next.bytes;
    }
    if (!newest) return;
    this.#deliveredAtMs = nowMs;
    const elapsedMs = Math.max(0.1, nowMs - newest.deliveredAtMs);
    this.#link.measured(
      {
        bytes: newest.bytes,
        sentAtMs: newest.sentAtMs,
        rttMs: nowMs - newest.sentAtMs,
        deliveryRate: (this.#deliveredBytes - newest.deliveredBefore) / elapsedMs,
        trainRate: this.#train.arrived(newest.sentAtMs, nowMs, this.#deliveredBytes),
        limited: newest.busyMs > 0 || this.#refusedAtMs >= newest.sentAtMs,
      },
      nowMs,
    );
    this.#followLink(nowMs - this.#link.propagationMs);
  }

  #waitMs(nowMs: number, oldest: InFlight, delta: boolean): number {
    if (this.#inFlight.size >= IN_FLIGHT_MAX) return Number.POSITIVE_INFINITY;
    if (!this.#link.known) {
      const blind = delta && this.#inFlightBytes - oldest.bytes < BLIND_BYTES && nowMs - oldest.sentAtMs < BLIND_MS;
      return blind ? 0 : Number.POSITIVE_INFINITY;
    }
    const dueMs = oldest.leavesAtMs + this.#link.propagationMs * 1.25 + LATE_MS;
    if (nowMs > dueMs) return Number.POSITIVE_INFINITY;
    const aheadMs = delta ? DELTA_AHEAD_MS + this.#link.transmissionMs(this.#largestInFlight()) : PICTURE_AHEAD_MS;
    return Math.max(0, this.#freeAtMs - nowMs - aheadMs);
  }

  /** Sets right when packets leave the link, now that one is known to have left at `leftAtMs`. */
  #followLink(leftAtMs: number): void {
    this.#freeAtMs = leftAtMs;
    for (let place = 0; place < this.#inFlight.size; place++) {
      const packet = this.#inFlight.at(place);
      if (!packet) break;
      this.#freeAtMs = Math.max(this.#freeAtMs, packet.sentAtMs) + this.#link.transmissionMs(packet.bytes);
      packet.leavesAtMs = this.#freeAtMs;
    }
  }

  #largestInFlight(): number {
    let largest = 0;
    for (let place = 0; place < this.#inFlight.size; place++) {
      largest = Math.max(largest, this.#inFlight.at(place)?.bytes ?? 0);
    }
    return largest;
  }
}
