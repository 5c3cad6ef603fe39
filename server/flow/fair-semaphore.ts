/** The party that a unit of work belongs to. */
export interface Requester {
  /** Sources take turns: a network, an account. */
  readonly source: string;
  /** The parts of one source take turns too, so that users behind the same address are told apart where possible. */
  readonly part: string;
}

export interface FairSemaphoreOptions {
  /** Works at the same time; one of each source at most, so that a single one never has all of them. */
  readonly runningMax: number;
  /** Works that wait. */
  readonly waitingMax: number;
  /** Makes the error for a caller that finds the queue full. */
  readonly onFull: () => Error;
}

interface Waiting extends Requester {
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Lets a few works run at a time, and the others wait in rounds: however many works one source has waiting, another's first
 * is behind one of each at most. Where too many wait, the newest of the source with most of them gives way.
 */
export class FairSemaphore {
  readonly #options: FairSemaphoreOptions;
  readonly #running = new Set<string>();
  /** By source and part, both in the order of their turns. */
  readonly #queues = new Map<string, Map<string, Waiting[]>>();
  #waiting = 0;

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
  }

  /** Settles as the work does; rejects with the error of `onFull` when it cannot wait, or gave way. */
  async run<T>(requester: Requester, work: () => Promise<T>): Promise<T> {
    if (!this.#mayRun(requester.source)) await this.#wait(requester);
    else this.#running.add(requester.source);
    try {
      return await work();
    } finally {
      this.#running.delete(requester.source);
      this.#beginNext();
    }
  }

  #mayRun(source: string): boolean {
    return this.#running.size < this.#options.runningMax && !this.#running.has(source);
  }

  #wait({ source, part }: Requester): Promise<void> {
    return new Promise((begin, refuse) => {
      if (this.#waiting >= this.#options.waitingMax && !this.#makeRoom(source)) return refuse(this.#options.onFull());
      const parts = this.#queues.get(source) ?? new Map<string, Waiting[]>();
      const queue = parts.get(part) ?? [];
      queue.push({ source, part, begin, refuse });
      parts.set(part, queue);
      this.#queues.set(source, parts);
      this.#waiting++;
    });
  }

  #beginNext(): void {
    for (const [source, parts] of this.#queues) {
      if (!this.#mayRun(source)) continue;
      const [[part, queue] = ['', []]] = parts;
      const next = queue.shift();
      // Behind the others of its kind, or gone: what has nothing waiting costs nothing.
      parts.delete(part);
      if (queue.length > 0) parts.set(part, queue);
      this.#queues.delete(source);
      if (parts.size > 0) this.#queues.set(source, parts);
      if (!next) continue;
      this.#waiting--;
      this.#running.add(source);
      return next.begin();
    }
  }

  /** False when no other source has more waiting than `source` would have. */
  #makeRoom(source: string): boolean {
    const countOf = (parts: ReadonlyMap<string, readonly Waiting[]> | undefined) =>
      [...(parts?.values() ?? [])].reduce((sum, { length }) => sum + length, 0);
    const [busiest, parts] = [...this.#queues].reduce((most, one) => (countOf(one[1]) > countOf(most[1]) ? one : most));
    if (countOf(parts) <= countOf(this.#queues.get(source)) + 1) return false;
    const [part, queue] = [...parts].reduce((most, one) => (one[1].length > most[1].length ? one : most));
    queue.pop()?.refuse(this.#options.onFull());
    this.#waiting--;
    if (queue.length === 0) parts.delete(part);
    if (parts.size === 0) this.#queues.delete(busiest);
    return true;
  }
}
