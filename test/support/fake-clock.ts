import type { Clock } from '../../server/flow/clock.ts';

interface Task {
  readonly dueMs: number;
  readonly run: () => void;
}

/** A clock that stands still until it is turned. The wall clock can be set apart from the monotonic one. */
export class FakeClock implements Clock {
  #nowMs: number;
  #wallOffsetMs: number;
  #tasks: Task[] = [];

  constructor(nowMs = 1_000, wallMs = Date.UTC(2026, 4, 6, 7, 8, 9)) {
    this.#nowMs = nowMs;
    this.#wallOffsetMs = wallMs - nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return this.#nowMs + this.#wallOffsetMs;
  }

  schedule(delayMs: number, run: () => void): () => void {
    const task = { dueMs: this.#nowMs + delayMs, run };
    this.#tasks.push(task);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task);
    };
  }

  /** How many tasks wait. */
  get waiting(): number {
    return this.#tasks.length;
  }

  /** Goes on by `ms` and runs what falls due on the way, in its order; promises settle before and after each task. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await settled();
    for (let task = this.#takeDue(untilMs); task; task = this.#takeDue(untilMs)) {
      this.#nowMs = Math.max(this.#nowMs, task.dueMs);
      task.run();
      await settled();
    }
    this.#nowMs = untilMs;
  }

  /** Time goes on while something is done, with nothing else in between. */
  turn(ms: number): void {
    this.#nowMs += ms;
  }

  /** The thread stands still for `ms`: what fell due meanwhile runs late, all at the end of the pause. */
  async pause(ms: number): Promise<void> {
    this.#nowMs += ms;
    await this.advance(0);
  }

  /** Somebody sets the wall clock. */
  jumpWall(ms: number): void {
    this.#wallOffsetMs += ms;
  }

  #takeDue(untilMs: number): Task | undefined {
    let first: Task | undefined;
    for (const task of this.#tasks) if (task.dueMs <= untilMs && (!first || task.dueMs < first.dueMs)) first = task;
    if (first) this.#tasks.splice(this.#tasks.indexOf(first), 1);
    return first;
  }
}

/** Resolves when every promise that can settle by itself has settled. */
export const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
