/** Called on an abort, instead of creating a signal. */
export interface AbortListener {
  onAbort(): void;
}

/** An AbortController that is created when its signal is first read; creating one costs more than a tap. */
export class LazyAbort {
  #controller: AbortController | undefined;
  #aborted = false;
  /** One listener at a time, for an input that has not started. */
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
