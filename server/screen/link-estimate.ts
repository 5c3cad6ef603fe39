/** A delivered packet, measured by its acknowledgement. */
export interface Delivery {
  readonly bytes: number;
  readonly sentAtMs: number;
  readonly rttMs: number;
  /** Bytes per millisecond that arrived while this packet was in flight. */
  readonly deliveryRate: number;
  /** Lower bound, in bytes per millisecond, of the rate of the packets before it; 0 while they were too few. */
  readonly trainRate: number;
  /** The link was estimated to be busy when this packet was sent, or another packet had to wait for it. */
  readonly limited: boolean;
}

/** Bytes a millisecond: 8 kbit/s and 4 Gbit/s. */
const RATE_MIN = 1;
const RATE_MAX = 500_000;
/** A packet that queued for less than this was fast, one that queued for longer than `SLOW_MS` was slow. */
const QUICK_MS = 25;
const SLOW_MS = 75;
/** Extra delay that one probing step may add on a link that is already full. */
const PROBE_MS = 50;
const PROBE_SHARE = { min: 0.02, max: 0.25 };
/** The minimum round trip is taken over the last one to two of these windows, since routes change. */
const BASE_WINDOW_MS = 10_000;

/** Bytes a millisecond; 0 until anything was measured. */
const RATE = 0;
/** The minimum round trip of the window, and of its newer part; infinite while there is none. */
const BASE_MS = 1;
const BASE_BYTES = 2;
const NEWER_BASE_MS = 3;
const NEWER_BASE_BYTES = 4;
const WINDOW_ENDS_MS = 5;
/** The very first round trip. */
const FIRST_MS = 6;
const FIRST_BYTES = 7;
/** When the rate was changed last. */
const CHANGED_AT_MS = 8;
const NUMBERS = 9;

/**
 * Estimates the link to one viewer from acknowledgements: its rate, and the round trip of a packet that does not queue.
 * The rate is probed upwards while packets are fast, and falls to the delivered rate once they queue.
 */
export class LinkEstimate {
  /** In one typed array, for cache locality as in `NumberRing`. */
  readonly #numbers = new Float64Array(NUMBERS);
  /** Slow start: until the link is full for the first time, the rate is doubled. */
  #starting = true;
  /** Consecutive probing steps without a queue: each is twice the previous one. */
  #quickSteps = 0;

  constructor() {
    this.#numbers[BASE_MS] = Number.POSITIVE_INFINITY;
    this.#numbers[NEWER_BASE_MS] = Number.POSITIVE_INFINITY;
    this.#numbers[CHANGED_AT_MS] = Number.NEGATIVE_INFINITY;
  }

  /** True once anything was measured. */
  get known(): boolean {
    return this.#get(BASE_MS) < Number.POSITIVE_INFINITY;
  }

  /** Bytes per millisecond; 0 until anything was measured. */
  get rate(): number {
    return this.#get(RATE);
  }

  /** Milliseconds that the link needs for so many bytes. */
  transmissionMs(bytes: number): number {
    const rate = this.#get(RATE);
    return rate === 0 ? 0 : bytes / rate;
  }

  /** The round trip of an empty packet on an idle link. */
  get propagationMs(): number {
    return this.known ? Math.max(0, this.#get(BASE_MS) - this.transmissionMs(this.#get(BASE_BYTES))) : 0;
  }

  /** How long a packet waited behind others on its way. */
  queuedMs({ bytes, rttMs }: Pick<Delivery, 'bytes' | 'rttMs'>): number {
    return rttMs - this.propagationMs - this.transmissionMs(bytes);
  }

  measured(delivery: Delivery, nowMs: number): void {
    const { bytes, sentAtMs, rttMs } = delivery;
    const isFirst = this.#get(RATE) === 0;
    this.#noteRoundTrip(rttMs, bytes, nowMs);
    if (isFirst) {
      // A single packet shows a lower bound of the link's rate.
      this.#numbers[FIRST_MS] = rttMs;
      this.#numbers[FIRST_BYTES] = bytes;
      return this.#set(bytes / Math.max(rttMs, 0.1), nowMs);
    }
    if (this.#starting) this.#compareWithFirst();
    // A measured rate needs no waiting period.
    this.#raise(delivery.trainRate);
    // A change affects only packets sent after it.
    if (sentAtMs >= this.#get(CHANGED_AT_MS)) this.#adapt(delivery, nowMs);
  }

  #adapt(delivery: Delivery, nowMs: number): void {
    const { sentAtMs, rttMs, deliveryRate, trainRate, limited } = delivery;
    const rate = this.#get(RATE);
    const queuedMs = this.queuedMs(delivery);
    if (queuedMs > QUICK_MS) {
      this.#starting = false;
      this.#quickSteps = 0;
      const lowered = queuedMs > SLOW_MS ? Math.max(rate * 0.25, deliveryRate, trainRate) : rate;
      return this.#set(Math.min(rate * (queuedMs > SLOW_MS ? 0.9 : 0.98), lowered), nowMs);
    }
    // A queue builds up over a round trip: before that the effect of a step upwards is not complete.
    if (!limited || sentAtMs < this.#get(CHANGED_AT_MS) + this.propagationMs / 2) return;
    const { min, max } = PROBE_SHARE;
    const share = Math.min(max, Math.max(min, PROBE_MS / rttMs)) * 2 ** this.#quickSteps++;
    this.#set(rate * (1 + (this.#starting ? 1 : Math.min(1, share))), nowMs);
  }

  /** The first packet was sent on an idle link: its extra time compared with a small one is the time for its bytes. */
  #compareWithFirst(): void {
    const firstMs = this.#get(FIRST_MS);
    const firstBytes = this.#get(FIRST_BYTES);
    const ms = this.#get(BASE_MS);
    const bytes = this.#get(BASE_BYTES);
    if (bytes * 4 < firstBytes && ms < firstMs - 1) this.#raise((firstBytes - bytes) / (firstMs - ms));
  }

  #raise(rate: number): void {
    if (rate > this.#get(RATE)) this.#numbers[RATE] = rate;
  }

  #set(rate: number, nowMs: number): void {
    this.#numbers[RATE] = Math.min(RATE_MAX, Math.max(RATE_MIN, rate));
    this.#numbers[CHANGED_AT_MS] = nowMs;
  }

  #noteRoundTrip(ms: number, bytes: number, nowMs: number): void {
    const numbers = this.#numbers;
    if (nowMs > this.#get(WINDOW_ENDS_MS)) {
      numbers[BASE_MS] = this.#get(NEWER_BASE_MS);
      numbers[BASE_BYTES] = this.#get(NEWER_BASE_BYTES);
      numbers[NEWER_BASE_MS] = Number.POSITIVE_INFINITY;
      numbers[WINDOW_ENDS_MS] = nowMs + BASE_WINDOW_MS;
    }
    if (ms < this.#get(NEWER_BASE_MS)) {
      numbers[NEWER_BASE_MS] = ms;
      numbers[NEWER_BASE_BYTES] = bytes;
    }
    if (ms < this.#get(BASE_MS)) {
      numbers[BASE_MS] = ms;
      numbers[BASE_BYTES] = bytes;
    }
  }

  #get(place: number): number {
    return this.#numbers[place] as number;
  }
}
