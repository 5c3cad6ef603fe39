import type { Clock } from './clock.ts';

/** Lets `perSecond` things through on average, and bursts of twice that. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #perSecond: number;
  #tokens: number;
  #filledMs: number;

  constructor(perSecond: number, clock: Clock) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#tokens = perSecond * 2;
    this.#filledMs = clock.monotonicMs();
  }

  /** Takes one token; `false` when there is none. */
  take(): boolean {
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  /** Whole seconds after which a token will be there, at least 1: the value of `Retry-After`. */
  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil((1 - this.#tokens) / this.#perSecond));
  }

  #fill(): void {
    const nowMs = this.#clock.monotonicMs();
    const added = ((nowMs - this.#filledMs) / 1_000) * this.#perSecond;
    this.#tokens = Math.min(this.#perSecond * 2, this.#tokens + added);
    this.#filledMs = nowMs;
  }
}
