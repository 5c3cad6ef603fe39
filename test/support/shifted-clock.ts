import { type Clock, createClock } from '../../server/flow/clock.ts';

interface Task {
  readonly dueMs: number;
  readonly run: () => void;
  readonly cancelTimer: () => void;
}

/** The machine's clock, which can be set on: what falls due meanwhile runs at once. */
export class ShiftedClock implements Clock {
  readonly #clock = createClock();
  readonly #tasks = new Set<Task>();
  #shiftMs = 0;

  /** Its own function: the service hands it on. */
  readonly monotonicMs = (): number => this.#clock.monotonicMs() + this.#shiftMs;

  wallMs(): number {
    return this.#clock.wallMs() + this.#shiftMs;
  }

  schedule(delayMs: number, run: () => void): () => void {
    const start = () => {
      this.#tasks.delete(task);
      run();
    };
    const cancelTimer = this.#clock.schedule(delayMs, start);
    const task = { dueMs: this.monotonicMs() + delayMs, run: start, cancelTimer };
    this.#tasks.add(task);
    return () => {
      task.cancelTimer();
      this.#tasks.delete(task);
    };
  }

  advance(ms: number): void {
    this.#shiftMs += ms;
    const nowMs = this.monotonicMs();
    const due = [...this.#tasks].filter(({ dueMs }) => dueMs <= nowMs).sort((a, b) => a.dueMs - b.dueMs);
    for (const task of due) {
      // One that ran before may have taken it back.
      if (!this.#tasks.has(task)) continue;
      task.cancelTimer();
      task.run();
    }
  }
}
