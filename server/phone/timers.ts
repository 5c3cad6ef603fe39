import type { PhoneClock } from './clock.ts';

/** Timers of one owner. Each slot holds at most one timer; closing cancels all of them. */
export class Timers {
  readonly #clock: PhoneClock;
  readonly #pending = new Map<string, () => void>();
  #closed = false;

  constructor(clock: PhoneClock) {
    this.#clock = clock;
  }

  /** Runs `task` after `delayMs`; it replaces a pending task of the same slot. */
  set(slot: string, delayMs: number, task: () => void): void {
    this.clear(slot);
    if (this.#closed) return;
    const cancel = this.#clock.schedule(delayMs, () => {
      this.#pending.delete(slot);
      task();
    });
    this.#pending.set(slot, cancel);
  }

  clear(slot: string): void {
    this.#pending.get(slot)?.();
    this.#pending.delete(slot);
  }

  close(): void {
    this.#closed = true;
    for (const cancel of this.#pending.values()) cancel();
    this.#pending.clear();
  }
}
