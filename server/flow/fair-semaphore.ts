/** The source of a unit of work, for fair queueing. */
export interface Requester {
  /** Sources, such as a network or an account, are served round robin. */
  readonly source: string;
  /** The parts of one source are served round robin too, to separate users behind the same address if possible. */
  readonly part: string;
}

export interface FairSemaphoreOptions {
  /** Maximum concurrency; at most one per source, so that no source uses all of it. */
  readonly runningMax: number;
  /** Maximum queue length. */
  readonly waitingMax: number;
  /** Creates the error for a full queue. */
  readonly onFull: () => Error;
}

interface Waiting extends Requester {
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Limits concurrency with fair queueing: waiting work is served round robin by source, so the first work of a source waits for at
 * most one of each other source. If the queue is full, the newest work of the longest source is rejected.
 */
export class FairSemaphore {
  readonly #options: FairSemaphoreOptions;
  readonly #running = new Set<string>();
  /** By source and part, both in round-robin order. */
  readonly #queues = new Map<string, Map<string, Waiting[]>>();
  #waiting = 0;

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
  }

  /** Settles like the work; rejects with the error of `onFull` if the work was not queued or was displaced. */
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
      // Moves behind the others; removed if its queue is empty.
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

  /** Makes room in a full queue; false if no other source has more waiting work than `source` would have. */
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
