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
  readonly #takeBack: () => void;
  readonly #abort = (): void => this.#controller.abort(this.#caller?.reason);
  #expired = false;

  /**
   * Throws the caller's reason at once where its signal was aborted before.
   * @param waitMs may be of any length; `Infinity` leaves the end to the caller
   */
  constructor(caller: AbortSignal | undefined, waitMs: number) {
    caller?.throwIfAborted();
    this.#caller = caller;
    caller?.addEventListener('abort', this.#abort, { once: true });
    const expire = () => {
      this.#expired = true;
      this.#controller.abort();
    };
    this.#takeBack = startTimer(waitMs, expire, TIMERS);
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
        takeBack();
        this.signal.removeEventListener('abort', done);
        resolve();
      };
      const takeBack = startTimer(ms, done, TIMERS);
      this.signal.addEventListener('abort', done);
      if (this.signal.aborted) done();
    });
  }

  /** The call is over: nothing of it is left on the caller's signal. */
  end(): void {
    this.#takeBack();
    this.#caller?.removeEventListener('abort', this.#abort);
  }
}
