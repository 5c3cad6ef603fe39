/** One call's end: the caller's signal, or the time that it may take. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #abort = (): void => this.#controller.abort(this.#caller?.reason);
  #expired = false;

  /** Throws the caller's reason at once where its signal was aborted before. */
  constructor(caller: AbortSignal | undefined, waitMs: number) {
    caller?.throwIfAborted();
    this.#caller = caller;
    caller?.addEventListener('abort', this.#abort, { once: true });
    this.#timer = setTimeout(() => {
      this.#expired = true;
      this.#controller.abort();
    }, waitMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time is over, as opposed to an abort by the caller. */
  get expired(): boolean {
    return this.#expired;
  }

  /** Throws the caller's reason where it aborted. */
  throwIfAborted(): void {
    if (!this.#expired) this.#caller?.throwIfAborted();
  }

  /** Waits, or less long where the call ends before. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.signal.addEventListener('abort', done);
      if (this.signal.aborted) done();
    });
  }

  /** The call is over: nothing of it is left on the caller's signal. */
  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#abort);
  }
}
