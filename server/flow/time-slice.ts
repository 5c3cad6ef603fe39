import { Fifo } from './fifo.ts';

/** Time slice of work on a device's thread before a waiting input is handled: as long as drawing takes. */
export const TIME_SLICE_MS = 0.5;

/** The works of this thread that wait for their next slice, in order. */
const waiting = new Fifo<() => void>();

/** One slice per iteration of the event loop, however many works there are: an input never waits for a slice of each. */
function begin(): void {
  waiting.shift()?.();
  if (waiting.size > 0) setImmediate(begin);
}

/**
 * Splits long work into slices of the event loop: the worker checks `over` after each piece, and awaits `next` if it is true.
 */
export class TimeSlice {
  readonly #nowMs: () => number;
  #sinceMs: number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  get over(): boolean {
    return this.#nowMs() - this.#sinceMs >= TIME_SLICE_MS;
  }

  /** Resolves at the next slice, after the event loop has handled waiting events and the works that waited before. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waiting.size === 0) setImmediate(begin);
      waiting.push(resolve);
    });
    this.#sinceMs = this.#nowMs();
  }
}
