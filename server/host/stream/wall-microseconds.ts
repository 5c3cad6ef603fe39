import type { Clock } from '../../flow/clock.ts';

/**
 * The wall clock in microseconds since the Unix epoch. The system's resolution is a millisecond; the monotonic clock interpolates,
 * adjusted whenever the two disagree.
 */
export class WallMicroseconds {
  readonly #clock: Clock;
  #offsetMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    const wallMs = this.#clock.wallMs();
    const monotonicMs = this.#clock.monotonicMs();
    const finest = Math.min(Math.max(monotonicMs + this.#offsetMs, wallMs), wallMs + 0.999);
    this.#offsetMs = finest - monotonicMs;
    return Math.round(finest * 1_000);
  }
}
