import { setImmediate as turnOfTheLoop } from 'node:timers/promises';

/**
 * Native work of a thread in the process's thread pool. A thread that ends before the work can end the whole process, so its end
 * waits for the work.
 */
export class InFlight {
  readonly #works = new Set<Promise<unknown>>();

  /** Counts a promise until it has settled; returns it. */
  track<T>(work: Promise<T>): Promise<T> {
    const forget = () => void this.#works.delete(work);
    this.#works.add(work);
    work.then(forget, forget);
    return work;
  }

  /** Settles when no work is pending, and none has begun with what the last one gave; never rejects. */
  async settled(): Promise<void> {
    while (this.#works.size > 0) {
      await Promise.allSettled(this.#works);
      await turnOfTheLoop();
    }
  }
}

/** The instance of this thread. */
export const inFlight = new InFlight();
