/** Told of an end without a signal. */
export interface AbortListener {
  onAbort(): void;
}

/** An AbortController that is made when its signal is first read; making one costs more than a tap. */
export class LazyAbort {
  #controller: AbortController | undefined;
  #aborted = false;
  /** One at a time, for what has not begun yet. */
  listener: AbortListener | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.listener?.onAbort();
    this.#controller?.abort();
  }
}
