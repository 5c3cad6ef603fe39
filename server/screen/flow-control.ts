import { NumberRing } from '../flow/number-ring.ts';
import { LinkEstimate } from './link-estimate.ts';
import { PacketTrain } from './packet-train.ts';

/** The conditions for sending a packet. */
export interface SendConditions {
  /** The packet is a delta: dropping it costs a key packet, so it may queue for longer. */
  readonly delta: boolean;
  /** Bytes buffered in this process until the client reads. */
  readonly bufferedBytes: number;
}

/** The columns of a packet in flight. */
const SEQ = 0;
const BYTES = 1;
const SENT_AT_MS = 2;
/** Bytes that were acknowledged before this packet was sent, and when the last of them were. */
const DELIVERED_BEFORE = 3;
const DELIVERED_AT_MS = 4;
/** Estimated remaining busy time of the link when it was sent. */
const BUSY_MS = 5;
/** Estimated time at which it leaves the link, on the sender's clock. */
const LEAVES_AT_MS = 6;
const NUMBERS = 7;
/** On a short way there are one or two. */
const IN_FLIGHT_USUAL = 4;

/** A whole picture is sent only when the link is about to be free, since it would be outdated after a wait. */
const PICTURE_AHEAD_MS = 15;
/** In addition to the largest packet since the link was last nearly free: packets after a key picture always wait for it. */
const DELTA_AHEAD_MS = 100;
/** So nearly. A link that deltas fill to four fifths needs five times as long as a key picture took until then. */
const NEARLY_FREE_MS = 50;
/** An acknowledgement later than this means that the link is stalled: nothing more is sent. */
const LATE_MS = 100;
/** Initial window: bytes and time after the first key packet before the first acknowledgement. */
const BLIND_BYTES = 49_152;
const BLIND_MS = 700;
/** Buffered bytes above which no picture is sent, so that answers wait for at most one picture. */
export const SCREEN_BUFFERED_BYTES_MAX = 65_536;
/** Memory for one viewer; at 60 packets a second a round trip of more than 4 s. */
const IN_FLIGHT_MAX = 256;

/**
 * Decides when a viewer may be sent the next packet, by its acknowledgements. It simulates the link: a packet is sent
 * when the packets before it are about to have left, so that the link stays busy and has no queue. It computes only
 * with the times that it is given.
 */
export class FlowControl {
  readonly #link = new LinkEstimate();
  readonly #train = new PacketTrain();
  /** Oldest first; a handful, since the window is one round trip wide. */
  readonly #inFlight = new NumberRing(NUMBERS, IN_FLIGHT_USUAL);
  #lastSeq = -1;
  #inFlightBytes = 0;
  #deliveredBytes = 0;
  #deliveredAtMs = 0;
  #refusedAtMs = Number.NEGATIVE_INFINITY;
  /** Estimated time at which everything sent has left the link. */
  #freeAtMs = Number.NEGATIVE_INFINITY;
  /** Bytes of the largest packet since the link was last nearly free. */
  #largestBytes = 0;

  get unacknowledgedBytes(): number {
    return this.#inFlightBytes;
  }

  /** What the link carries, in bytes per millisecond; 0 until anything was measured. */
  get linkRate(): number {
    return this.#link.rate;
  }

  /** Milliseconds for which the link is busy with what was sent. */
  busyMs(nowMs: number): number {
    return this.#inFlight.size === 0 ? 0 : Math.max(0, this.#freeAtMs - nowMs);
  }

  /** Milliseconds until a packet may be sent: 0 now; infinite: not before an acknowledgement or before buffered bytes leave. */
  waitMs(nowMs: number, { delta, bufferedBytes }: SendConditions): number {
    if (bufferedBytes > SCREEN_BUFFERED_BYTES_MAX) return Number.POSITIVE_INFINITY;
    if (this.#inFlight.size === 0) return 0;
    const waitMs = this.#waitMs(nowMs, delta);
    if (waitMs > 0) this.#refusedAtMs = nowMs;
    return waitMs;
  }

  sent(seq: number, bytes: number, nowMs: number): void {
    if (this.#inFlight.size === 0) this.#deliveredAtMs = nowMs;
    const busyMs = Math.max(0, this.#freeAtMs - nowMs);
    this.#largestBytes = Math.max(bytes, busyMs < NEARLY_FREE_MS ? 0 : this.#largestBytes);
    this.#freeAtMs = nowMs + busyMs + this.#link.transmissionMs(bytes);
    const at = this.#inFlight.push();
    const { values } = this.#inFlight;
    values[at + SEQ] = seq;
    values[at + BYTES] = bytes;
    values[at + SENT_AT_MS] = nowMs;
    values[at + DELIVERED_BEFORE] = this.#deliveredBytes;
    values[at + DELIVERED_AT_MS] = this.#deliveredAtMs;
    values[at + BUSY_MS] = busyMs;
    values[at + LEAVES_AT_MS] = this.#freeAtMs;
    this.#lastSeq = seq;
    this.#inFlightBytes += bytes;
  }

  /** Acknowledges this packet and all before it. A packet that was never sent or is already acknowledged is ignored. */
  acknowledged(seq: number, nowMs: number): void {
    if (seq > this.#lastSeq) return;
    const inFlight = this.#inFlight;
    const { values } = inFlight;
    let newest = -1;
    for (let at = inFlight.at(0); inFlight.size > 0 && (values[at + SEQ] as number) <= seq; at = inFlight.at(0)) {
      const bytes = values[at + BYTES] as number;
      this.#inFlightBytes -= bytes;
      this.#deliveredBytes += bytes;
      inFlight.shift();
      newest = at;
    }
    if (newest < 0) return;
    this.#deliveredAtMs = nowMs;
    const sentAtMs = values[newest + SENT_AT_MS] as number;
    const elapsedMs = Math.max(0.1, nowMs - (values[newest + DELIVERED_AT_MS] as number));
    this.#link.measured(
      {
        bytes: values[newest + BYTES] as number,
        sentAtMs,
        rttMs: nowMs - sentAtMs,
        deliveryRate: (this.#deliveredBytes - (values[newest + DELIVERED_BEFORE] as number)) / elapsedMs,
        trainRate: this.#train.arrived(sentAtMs, nowMs, this.#deliveredBytes),
        limited: (values[newest + BUSY_MS] as number) > 0 || this.#refusedAtMs >= sentAtMs,
      },
      nowMs,
    );
    this.#followLink(nowMs - this.#link.propagationMs);
  }

  #waitMs(nowMs: number, delta: boolean): number {
    if (this.#inFlight.size >= IN_FLIGHT_MAX) return Number.POSITIVE_INFINITY;
    const { values } = this.#inFlight;
    const oldest = this.#inFlight.at(0);
    if (!this.#link.known) {
      const followingBytes = this.#inFlightBytes - (values[oldest + BYTES] as number);
      const blindMs = nowMs - (values[oldest + SENT_AT_MS] as number);
      return delta && followingBytes < BLIND_BYTES && blindMs < BLIND_MS ? 0 : Number.POSITIVE_INFINITY;
    }
    const dueMs = (values[oldest + LEAVES_AT_MS] as number) + this.#link.propagationMs * 1.25 + LATE_MS;
    if (nowMs > dueMs) return Number.POSITIVE_INFINITY;
    const aheadMs = delta ? DELTA_AHEAD_MS + this.#link.transmissionMs(this.#largestBytes) : PICTURE_AHEAD_MS;
    return Math.max(0, this.#freeAtMs - nowMs - aheadMs);
  }

  /** Corrects the estimated times of the packets in flight, given that one left the link at `leftAtMs`. */
  #followLink(leftAtMs: number): void {
    this.#freeAtMs = leftAtMs;
    const { size, values } = this.#inFlight;
    for (let place = 0; place < size; place++) {
      const at = this.#inFlight.at(place);
      const startsAtMs = Math.max(this.#freeAtMs, values[at + SENT_AT_MS] as number);
      this.#freeAtMs = startsAtMs + this.#link.transmissionMs(values[at + BYTES] as number);
      values[at + LEAVES_AT_MS] = this.#freeAtMs;
    }
  }
}
