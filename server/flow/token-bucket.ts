import type { Clock } from './clock.ts';

/** A token bucket: `perSecond` tokens on average, with bursts of twice that by default. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #filledMs: number;
  /** The cost of the last request that was refused. */
  #wanted = 1;

  constructor(perSecond: number, clock: Clock, burst = perSecond * 2) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#filledMs = clock.monotonicMs();
  }

  /** Takes tokens, by default one; `false` without taking any if there are too few. */
  take(cost = 1): boolean {
    if (!this.holds(cost)) return false;
    this.#tokens -= cost;
    return true;
  }

  /** True when `cost` tokens can be taken now. */
  holds(cost: number): boolean {
    this.#fill();
    if (this.#tokens >= cost) return true;
    this.#wanted = cost;
    return false;
  }

  /** Charges a cost after the fact. The balance may become negative; requests are refused until it is positive again. */
  charge(cost: number): void {
    this.#tokens = Math.max(this.#tokens - cost, this.#perSecond * -2);
  }

  /** Whole seconds, at least 1, until the last refused request would be allowed: the value of `Retry-After`. */
  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil((this.#wanted - this.#tokens) / this.#perSecond));
  }

  #fill(): void {
    const nowMs = this.#clock.monotonicMs();
    const added = ((nowMs - this.#filledMs) / 1_000) * this.#perSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + added);
    this.#filledMs = nowMs;
  }
}
