/** Time slice of work on a device's thread before a waiting input is handled: as long as drawing takes. */
export const TIME_SLICE_MS = 0.5;

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

  /** Resolves at the next slice, after the event loop has handled waiting events. */
  async next(): Promise<void> {
    await new Promise((resolve) => void setImmediate(resolve));
    this.#sinceMs = this.#nowMs();
  }
}
