import { TIMER_MS_MAX, type TimerParts } from '@runcloud/protocol/terms';

interface Timer {
  readonly dueMs: number;
  readonly task: () => void;
}

/**
 * Timers under a clock that is turned by hand, with the manners of Node.js: a delay that is no number, below 1, or too large
 * for 32 bits is one of 1 ms, and fractions are cut off.
 */
export class NodeTimers implements TimerParts<Timer> {
  /** How many were ever set. */
  started = 0;
  #nowMs = 0;
  readonly #waiting = new Set<Timer>();

  nowMs(): number {
    return this.#nowMs;
  }

  set(task: () => void, delayMs: number): Timer {
    this.started++;
    const inRange = delayMs >= 1 && delayMs <= TIMER_MS_MAX;
    const timer = { dueMs: this.#nowMs + (inRange ? Math.trunc(delayMs) : 1), task };
    this.#waiting.add(timer);
    return timer;
  }

  clear(timer: Timer): void {
    this.#waiting.delete(timer);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Goes on by `ms`, from timer to timer. */
  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let next = this.#next(untilMs); next; next = this.#next(untilMs)) {
      this.#waiting.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.task();
    }
    this.#nowMs = untilMs;
  }

  #next(untilMs: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#waiting) {
      if (timer.dueMs <= untilMs && (first === undefined || timer.dueMs < first.dueMs)) first = timer;
    }
    return first;
  }
}
