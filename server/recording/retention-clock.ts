import type { Clock } from '../flow/clock.ts';

/** The largest difference between the clocks of a running machine, by drift or adjustment, between two checks. */
const DRIFT_MS_MAX = 60_000;
/** After this time a changed clock is trusted in any case. */
const DOUBT_MS_MAX = 86_400_000;
/** After a longer downtime the clock may not be set yet. */
const ABSENCE_MS_MAX = 30 * 86_400_000;

/**
 * Wall time that is safe for deletions. After a jump it is not trusted for the length of the jump, at most a day: by then every
 * recording that a wrong clock considers due really is due.
 */
export class RetentionClock {
  readonly #clock: Pick<Clock, 'wallMs' | 'monotonicMs'>;
  /** Trusted offset: wall time minus monotonic time. */
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
    // A small correction of an untrusted clock must not make it trusted.
    this.#trustedMs -= absentMs;
  }

  /** Milliseconds since the Unix epoch; `undefined` while not trusted. Call it every few minutes. */
  nowMs(): number | undefined {
    const offsetMs = this.#offsetMs;
    const doubted = this.#doubt?.offsetMs;
    const jumpMs = Math.abs(offsetMs - this.#trustedMs);
    if (doubted === undefined || Math.abs(offsetMs - doubted) > DRIFT_MS_MAX) {
      if (jumpMs > DRIFT_MS_MAX) this.#begin(offsetMs, jumpMs);
      // The clock is correct again.
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
