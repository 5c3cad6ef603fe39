import { LIMITS } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';

/** Counts a socket's refused messages minute by minute. */
export class RefusalCount {
  readonly #clock: Clock;
  #sinceMs: number;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sinceMs = clock.monotonicMs();
  }

  /** Counts a refusal; `true` if the client has exceeded the limit. */
  tooMany(): boolean {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#sinceMs > 60_000) {
      this.#sinceMs = nowMs;
      this.#count = 0;
    }
    return ++this.#count > LIMITS.refusedMessagesPerMinute;
  }
}
