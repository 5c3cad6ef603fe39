import type { Clock } from '../../server/flow/clock.ts';

/** A clock that stands still until it is turned, and runs what has come due. */
export class ManualClock implements Clock {
  #nowMs = 0;
  #wallOffsetMs = 0;
  #tasks: { readonly dueMs: number; readonly task: () => void }[] = [];
  static readonly EPOCH_MS = 1_700_000_000_000;

  monotonicMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return ManualClock.EPOCH_MS + this.#nowMs + this.#wallOffsetMs;
  }

  /** Somebody sets the wall clock. */
  jumpWall(ms: number): void {
    this.#wallOffsetMs += ms;
  }

  schedule(delayMs: number, task: () => void): () => void {
    const entry = { dueMs: this.#nowMs + delayMs, task };
    this.#tasks.push(entry);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== entry);
    };
  }

  /** How many tasks wait. */
  get waiting(): number {
    return this.#tasks.length;
  }

  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const next = this.#tasks.filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0];
      if (!next) break;
      this.#tasks = this.#tasks.filter((other) => other !== next);
      this.#nowMs = next.dueMs;
      next.task();
    }
    this.#nowMs = untilMs;
  }
}
