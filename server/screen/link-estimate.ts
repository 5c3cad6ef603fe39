/** A delivery as its acknowledgement shows it. */
export interface Delivery {
  readonly bytes: number;
  readonly sentAtMs: number;
  readonly rttMs: number;
  /** Bytes a millisecond that arrived while this packet was on its way. */
  readonly deliveryRate: number;
  /** Bytes a millisecond that the packets before it had at least, one after the other; 0 while they were too few. */
  readonly trainRate: number;
  /** The link was thought to be busy when this packet was sent, or another packet had to wait for it. */
  readonly limited: boolean;
}

/** Bytes a millisecond: 8 kbit/s and 4 Gbit/s. */
const RATE_MIN = 1;
const RATE_MAX = 500_000;
/** A packet that waited less than this on its way was quick, one that waited longer than `SLOW_MS` was slow. */
const QUICK_MS = 25;
const SLOW_MS = 75;
/** What one step of probing may add to what waits on the link, when it was full already. */
const PROBE_MS = 50;
const PROBE_SHARE = { min: 0.02, max: 0.25 };
/** The smallest round trip is looked for in the last one to two of these, since routes change. */
const BASE_WINDOW_MS = 10_000;

interface RoundTrip {
  readonly ms: number;
  readonly bytes: number;
}

/**
 * What acknowledgements tell of the way to one viewer: its rate, and the round trip of a packet that waits for nobody.
 * The rate is probed upwards while packets are quick and falls to what was delivered once they queue.
 */
export class LinkEstimate {
  #rate = 0;
  #base: RoundTrip | undefined;
  #newerBase: RoundTrip | undefined;
  #windowEndsMs = 0;
  /** Until the link is full for the first time the rate is doubled, not nudged. */
  #starting = true;
  #first: RoundTrip | undefined;
  /** Steps of probing in a row that met no queue: each is twice the one before. */
  #quickSteps = 0;
  #changedAtMs = Number.NEGATIVE_INFINITY;

  /** Whether anything was measured yet. */
  get known(): boolean {
    return this.#base !== undefined;
  }

  /** Milliseconds that the link needs for so many bytes. */
  transmissionMs(bytes: number): number {
    return this.#rate === 0 ? 0 : bytes / this.#rate;
  }

  /** The round trip of an empty packet on an idle link. */
  get propagationMs(): number {
    return this.#base ? Math.max(0, this.#base.ms - this.transmissionMs(this.#base.bytes)) : 0;
  }

  /** How long a packet waited behind others on its way. */
  queuedMs({ bytes, rttMs }: Pick<Delivery, 'bytes' | 'rttMs'>): number {
    return rttMs - this.propagationMs - this.transmissionMs(bytes);
  }

  measured(delivery: Delivery, nowMs: number): void {
    const { bytes, sentAtMs, rttMs } = delivery;
    this.#noteRoundTrip(rttMs, bytes, nowMs);
    if (!this.#first) {
      // A lone packet shows the least that the link can do.
      this.#first = { ms: rttMs, bytes };
      return this.#set(bytes / Math.max(rttMs, 0.1), nowMs);
    }
    if (this.#starting) this.#compareWithFirst(this.#first);
    // Not a guess that has to show its effect: the link has done it.
    this.#rate = Math.max(this.#rate, delivery.trainRate);
    // The effect of a change is seen on packets that were sent after it.
    if (sentAtMs >= this.#changedAtMs) this.#adapt(delivery, nowMs);
  }

  #adapt(delivery: Delivery, nowMs: number): void {
    const { sentAtMs, rttMs, deliveryRate, trainRate, limited } = delivery;
    const queuedMs = this.queuedMs(delivery);
    if (queuedMs > QUICK_MS) {
      this.#starting = false;
      this.#quickSteps = 0;
      const lowered = queuedMs > SLOW_MS ? Math.max(this.#rate * 0.25, deliveryRate, trainRate) : this.#rate;
      return this.#set(Math.min(this.#rate * (queuedMs > SLOW_MS ? 0.9 : 0.98), lowered), nowMs);
    }
    // A queue builds up for a round trip: before that a step upwards has not shown all that it does.
    if (!limited || sentAtMs < this.#changedAtMs + this.propagationMs / 2) return;
    const { min, max } = PROBE_SHARE;
    const share = Math.min(max, Math.max(min, PROBE_MS / rttMs)) * 2 ** this.#quickSteps++;
    this.#set(this.#rate * (1 + (this.#starting ? 1 : Math.min(1, share))), nowMs);
  }

  /** The first packet met an idle link: what it took longer than a small one is the time for its bytes. */
  #compareWithFirst(first: RoundTrip): void {
    const { ms, bytes } = this.#base ?? first;
    if (bytes * 4 < first.bytes && ms < first.ms - 1) {
      this.#rate = Math.max(this.#rate, (first.bytes - bytes) / (first.ms - ms));
    }
  }

  #set(rate: number, nowMs: number): void {
    this.#rate = Math.min(RATE_MAX, Math.max(RATE_MIN, rate));
    this.#changedAtMs = nowMs;
  }

  #noteRoundTrip(ms: number, bytes: number, nowMs: number): void {
    if (nowMs > this.#windowEndsMs) {
      this.#base = this.#newerBase;
      this.#newerBase = undefined;
      this.#windowEndsMs = nowMs + BASE_WINDOW_MS;
    }
    if (!this.#newerBase || ms < this.#newerBase.ms) this.#newerBase = { ms, bytes };
    if (!this.#base || ms < this.#base.ms) this.#base = this.#newerBase;
  }
}
