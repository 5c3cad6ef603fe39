import type { Clock } from '../flow/clock.ts';

/** The largest difference between the clocks of a running machine, by drift or adjustment, between two checks. */
const DRIFT_MS_MAX = 60_000;
/** A time that has stood for so long is believed, however it came to be. */
const DOUBT_MS_MAX = 86_400_000;
/** A server that was off for longer may have come back with a clock that was not set yet. */
const ABSENCE_MS_MAX = 30 * 86_400_000;

/**
 * Wall time that can be trusted to delete by. After a jump it is not trusted for as long as the jump was, a day at most:
 * what a wrong clock calls due then really is by the time that it is deleted.
 */
export class RetentionClock {
  readonly #clock: Pick<Clock, 'wallMs' | 'monotonicMs'>;
  /** Wall time minus monotonic time, as it is trusted. */
  #trustedMs: number;
  /** The offset that is not trusted yet, and until when; in monotonic time. */
  #doubt: { readonly offsetMs: number; readonly untilMs: number } | undefined;

  /** @param seenAtMs the newest wall time that was trusted before this start */
  constructor(clock: Pick<Clock, 'wallMs' | 'monotonicMs'>, seenAtMs: number | undefined) {
    this.#clock = clock;
    this.#trustedMs = this.#offsetMs;
    const absentMs = seenAtMs === undefined ? 0 : clock.wallMs() - seenAtMs;
    if (absentMs >= -DRIFT_MS_MAX && absentMs <= ABSENCE_MS_MAX) return;
    this.#begin(this.#trustedMs, Math.abs(absentMs));
    // A small correction of a clock that is far off must not make it a clock that is off by little.
    this.#trustedMs -= absentMs;
  }

  /** The time since the Unix epoch in milliseconds; `undefined` while it is not trusted. To be asked every few minutes. */
  nowMs(): number | undefined {
    const offsetMs = this.#offsetMs;
    const doubted = this.#doubt?.offsetMs;
    const jumpMs = Math.abs(offsetMs - this.#trustedMs);
    if (doubted === undefined || Math.abs(offsetMs - doubted) > DRIFT_MS_MAX) {
      if (jumpMs > DRIFT_MS_MAX) this.#begin(offsetMs, jumpMs);
      // Set back to what it was: nothing has happened.
      else if (doubted !== undefined) this.#doubt = undefined;
    }
    if (this.#doubt) {
      if (this.#clock.monotonicMs() < this.#doubt.untilMs) return undefined;
      this.#doubt = undefined;
    }
    this.#trustedMs = offsetMs;
    return Math.floor(this.#clock.wallMs());
  }

  get #offsetMs(): number {
    return this.#clock.wallMs() - this.#clock.monotonicMs();
  }

  #begin(offsetMs: number, jumpMs: number): void {
    this.#doubt = { offsetMs, untilMs: this.#clock.monotonicMs() + Math.min(DOUBT_MS_MAX, jumpMs) };
  }
}
