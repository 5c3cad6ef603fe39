/** An AbortController that is made when its signal is first read; making one costs more than a tap. */
export class LazyAbort {
  #controller: AbortController | undefined;
  #aborted = false;
  #onAbort: (() => void) | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Sets who is told without a signal: one at a time, for what has not begun yet. */
  set onAbort(listener: (() => void) | undefined) {
    this.#onAbort = listener;
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#onAbort?.();
    this.#controller?.abort();
  }
}
