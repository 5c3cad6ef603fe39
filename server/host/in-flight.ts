/**
 * Native work that a thread has given to the process's thread pool. A thread that ends before it is done can take the whole
 * process along, so its end waits for this.
 */
export class InFlight {
  readonly #works = new Set<Promise<unknown>>();

  /** Counts a work until it has settled; returns it. */
  track<T>(work: Promise<T>): Promise<T> {
    const forget = () => void this.#works.delete(work);
    this.#works.add(work);
    work.then(forget, forget);
    return work;
  }

  /** Settles, and never rejects, in the first moment in which nothing is under way. */
  async settled(): Promise<void> {
    while (this.#works.size > 0) await Promise.allSettled(this.#works);
  }
}

/** The one of this thread. */
export const inFlight = new InFlight();
