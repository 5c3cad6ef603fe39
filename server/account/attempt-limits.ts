import type { Clock } from '../flow/clock.ts';

export interface AttemptRule {
  /** Failures without a wait. */
  readonly free: number;
  /** The wait after the first failure beyond; it doubles with each further failure. */
  readonly firstDelayMs: number;
  readonly delayMsMax: number;
  /** Time without a failure after which the count restarts. */
  readonly forgottenAfterMs: number;
}

interface Attempts {
  failures: number;
  lastMs: number;
  /** Attempts before this monotonic time are refused. */
  openMs: number;
}

/** Maximum number of holders to remember; the oldest is forgotten first. */
const HOLDERS_MAX = 20_000;

/**
 * Slows down guessing. An attempt counts as a failure from its start, so that concurrent attempts gain nothing; a success or a
 * cancelled attempt is subtracted.
 */
export class AttemptLimits {
  readonly #rule: AttemptRule;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #holders = new Map<string, Attempts>();

  constructor(rule: AttemptRule, clock: Pick<Clock, 'monotonicMs'>) {
    this.#rule = rule;
    this.#clock = clock;
  }

  /** Whole seconds until the holder may try again; 0 when it may. */
  waitSeconds(holder: string): number {
    const attempts = this.#holders.get(holder);
    return attempts ? Math.max(0, Math.ceil((attempts.openMs - this.#clock.monotonicMs()) / 1_000)) : 0;
  }

  /** Counts an attempt as failed. */
  count(holder: string): void {
    const { free, firstDelayMs, delayMsMax } = this.#rule;
    const nowMs = this.#clock.monotonicMs();
    const attempts = this.#known(holder, nowMs);
    attempts.failures++;
    attempts.lastMs = nowMs;
    const past = attempts.failures - free;
    if (past > 0) attempts.openMs = nowMs + Math.min(delayMsMax, firstDelayMs * 2 ** Math.min(past - 1, 30));
  }

  /** Subtracts an attempt that was not a guess; earlier failures stay. */
  cancelTimer(holder: string): void {
    const attempts = this.#holders.get(holder);
    if (!attempts) return;
    attempts.failures--;
    if (attempts.failures <= this.#rule.free) attempts.openMs = 0;
    if (attempts.failures <= 0) this.#holders.delete(holder);
  }

  /** Resets the count after a success. */
  clear(holder: string): void {
    this.#holders.delete(holder);
  }

  #known(holder: string, nowMs: number): Attempts {
    const known = this.#holders.get(holder);
    if (known && nowMs - known.lastMs < this.#rule.forgottenAfterMs) return known;
    this.#holders.delete(holder);
    const [oldest] = this.#holders.keys();
    if (oldest !== undefined && this.#holders.size >= HOLDERS_MAX) this.#holders.delete(oldest);
    const attempts = { failures: 0, lastMs: nowMs, openMs: 0 };
    this.#holders.set(holder, attempts);
    return attempts;
  }
}
