import { startTimer, type TimerParts } from '../../protocol/timer.ts';

type Timer = ReturnType<typeof setTimeout>;

const TIMERS: TimerParts<Timer> = {
  nowMs: () => performance.now(),
  set: (task, delayMs) => setTimeout(task, delayMs),
  clear: (timer) => clearTimeout(timer),
};

/** One call's end: the caller's signal, or the time that it may take. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  #cancelTimer: (() => void) | undefined;
  readonly #abort = (): void => this.#controller.abort(this.#caller?.reason);
  readonly #expire = (): void => {
    this.#expired = true;
    this.#controller.abort();
  };
  #leftMs: number;
  /** Since when the time runs. */
  #since = 0;
  #expired = false;
  #ended = false;

  /**
   * Throws the caller's reason at once where its signal was aborted before.
   * @param waitMs may be of any length; `Infinity` leaves the end to the caller
   */
  constructor(caller: AbortSignal | undefined, waitMs: number) {
    caller?.throwIfAborted();
    this.#caller = caller;
    this.#leftMs = waitMs;
    caller?.addEventListener('abort', this.#abort, { once: true });
    this.go();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time is over, as opposed to an abort by the caller. */
  get expired(): boolean {
    return this.#expired;
  }

  /** The time stands still: nobody waits for the other side. */
  hold(): void {
    if (this.#cancelTimer === undefined) return;
    this.#cancelTimer();
    this.#cancelTimer = undefined;
    this.#leftMs -= performance.now() - this.#since;
  }

  /** The time runs on; with `waitMs`, anew. */
  go(waitMs?: number): void {
    this.hold();
    // The body of an upload may be read to its end after its answer.
    if (this.#ended) return;
    if (waitMs !== undefined) this.#leftMs = waitMs;
    this.#since = performance.now();
    this.#cancelTimer = startTimer(this.#leftMs, this.#expire, TIMERS);
  }

  /** Throws the caller's reason where it aborted. */
  throwIfAborted(): void {
    if (!this.#expired) this.#caller?.throwIfAborted();
  }

  /** Settles as `work` does, or rejects with the signal's reason when the call ends before. */
  within<T>(work: Promise<T>): Promise<T> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(signal.reason);
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    });
  }

  /** Waits, or less long where the call ends before. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancelTimer();
        this.signal.removeEventListener('abort', done);
        resolve();
      };
      const cancelTimer = startTimer(ms, done, TIMERS);
      this.signal.addEventListener('abort', done);
      if (this.signal.aborted) done();
    });
  }

  /** The call is over: nothing of it is left on the caller's signal. */
  end(): void {
    this.#ended = true;
    this.hold();
    this.#caller?.removeEventListener('abort', this.#abort);
  }
}
