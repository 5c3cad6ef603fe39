/** How long work on a device's thread may go on before an input that waits there gets its turn: as long as drawing takes. */
export const TIME_SLICE_MS = 0.5;

/**
 * Cuts long work into slices of the event loop: the worker checks `over` after each piece, and awaits `next` when it
 * is.
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

  /** The next turn: what waited at the event loop has been seen to. */
  async next(): Promise<void> {
    await new Promise((resolve) => void setImmediate(resolve));
    this.#sinceMs = this.#nowMs();
  }
}
