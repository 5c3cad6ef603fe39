import type { Clock } from '../flow/clock.ts';

/** One timer for all waiting viewers: it wakes them together when the first one is due. */
export class SharedTimer<Sleeper> {
  readonly #clock: Clock;
  readonly #wake: (sleepers: readonly Sleeper[]) => void;
  readonly #sleepers = new Set<Sleeper>();
  #dueMs = Number.POSITIVE_INFINITY;
  #cancelTimer: () => void = () => undefined;

  constructor(clock: Clock, wake: (sleepers: readonly Sleeper[]) => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  add(sleeper: Sleeper, delayMs: number): void {
    this.#sleepers.add(sleeper);
    const ms = Math.max(1, Math.ceil(delayMs));
    const dueMs = this.#clock.monotonicMs() + ms;
    if (dueMs >= this.#dueMs) return;
    this.#cancelTimer();
    this.#dueMs = dueMs;
    this.#cancelTimer = this.#clock.schedule(ms, () => {
      this.#dueMs = Number.POSITIVE_INFINITY;
      const woken = [...this.#sleepers];
      this.#sleepers.clear();
      this.#wake(woken);
    });
  }

  delete(sleeper: Sleeper): void {
    this.#sleepers.delete(sleeper);
    if (this.#sleepers.size === 0) this.close();
  }

  close(): void {
    this.#sleepers.clear();
    this.#cancelTimer();
    this.#dueMs = Number.POSITIVE_INFINITY;
  }
}
