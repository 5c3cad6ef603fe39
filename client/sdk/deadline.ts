import { startTimer, type TimerParts } from '../../protocol/timer.ts';

type Timer = ReturnType<typeof setTimeout>;

const TIMERS: TimerParts<Timer> = {
  nowMs: () => performance.now(),
  set: (task, delayMs) => setTimeout(task, delayMs),
  clear: (timer) => clearTimeout(timer),
};

/** The end of one call: the caller's signal or a time limit. */
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
  /** When the time limit started. */
  #since = 0;
  #expired = false;
  #ended = false;

  /**
   * Throws the reason of the caller's signal at once if it is already aborted.
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

  /** Whether the time limit has passed, as opposed to an abort by the caller. */
  get expired(): boolean {
    return this.#expired;
  }

  /** Pauses the time limit while the call does not wait for the service. */
  hold(): void {
    if (this.#cancelTimer === undefined) return;
    this.#cancelTimer();
    this.#cancelTimer = undefined;
    this.#leftMs -= performance.now() - this.#since;
  }

  /** Resumes the time limit; with `waitMs`, restarts it. */
  go(waitMs?: number): void {
    this.hold();
    // The body of an upload may be read to its end after its answer.
    if (this.#ended) return;
    if (waitMs !== undefined) this.#leftMs = waitMs;
    this.#since = performance.now();
    this.#cancelTimer = startTimer(this.#leftMs, this.#expire, TIMERS);
  }

  /** Throws the reason of the caller's signal if it is aborted. */
  throwIfAborted(): void {
    if (!this.#expired) this.#caller?.throwIfAborted();
  }

  /** Settles like `work`, or rejects with the signal's reason if the call ends first. */
  within<T>(work: Promise<T>): Promise<T> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(signal.reason);
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    });
  }

  /** Waits, but no longer than until the call ends. */
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

  /** Ends the deadline and removes its listener from the caller's signal. */
  end(): void {
    this.#ended = true;
    this.hold();
    this.#caller?.removeEventListener('abort', this.#abort);
  }
}
