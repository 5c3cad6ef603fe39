import { Fifo } from './fifo.ts';

/** What one turn of the loop may spend on what waits: what a light message may have to wait for, beside one task. */
export const TURN_SLICE_MS = 1;
/** What each party gets in a round, of which less than a task is carried over. */
const QUANTUM_MS = 0.5;

export interface FairTurnsOptions {
  readonly nowMs: () => number;
  /** Runs a task when the event loop has seen to everything else. */
  readonly defer: (task: () => void) => void;
  /** How many bytes may wait for one party. */
  readonly bytesMax: number;
  readonly onFault: (error: unknown) => void;
}

interface Task {
  readonly bytes: number;
  readonly run: () => void;
  /** Told how long it took, in milliseconds of the thread. */
  readonly spent: ((ms: number) => void) | undefined;
}

/** What waits for one party, first come first served. */
class Party {
  readonly name: string;
  readonly tasks = new Fifo<Task>();
  bytes = 0;
  /** Time that it may use now; below 0 while others make up for what it used. */
  creditMs = 0;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Shares the event loop's time among parties by deficit round robin: work that is too long to be done where it comes waits
 * in a line of its party, and the lines are served in turn, by the time that they use, in slices with the loop free in
 * between. Whatever one party asks for, another waits for a slice and a task at most.
 */
export class FairTurns {
  readonly #options: FairTurnsOptions;
  readonly #parties = new Map<string, Party>();
  /** Those that something waits for, in the order of their turns. */
  readonly #ring = new Fifo<Party>();
  #deferred = false;

  constructor(options: FairTurnsOptions) {
    this.#options = options;
  }

  /**
   * Takes a task for this party; `false`, and it is not taken, when so much waits already.
   * @param bytes that it holds on to
   * @param spent told how long it took
   */
  add(name: string, bytes: number, run: () => void, spent?: (ms: number) => void): boolean {
    const party = this.#parties.get(name) ?? new Party(name);
    if (party.bytes > 0 && party.bytes + bytes > this.#options.bytesMax) return false;
    if (party.tasks.size === 0) {
      this.#parties.set(name, party);
      this.#ring.push(party);
    }
    party.tasks.push({ bytes, run, spent });
    party.bytes += bytes;
    this.#later();
    return true;
  }

  #later(): void {
    if (this.#deferred) return;
    this.#deferred = true;
    this.#options.defer(this.#slice);
  }

  readonly #slice = (): void => {
    this.#deferred = false;
    const { nowMs } = this.#options;
    const untilMs = nowMs() + TURN_SLICE_MS;
    for (let party = this.#ring.peek(); party; party = this.#ring.peek()) {
      const leftMs = untilMs - nowMs();
      if (leftMs <= 0) break;
      this.#serve(party, leftMs);
    }
    if (this.#ring.size > 0) this.#later();
  };

  /** Gives the first in the ring its turn, of which the next slice has the rest when this one is over. */
  #serve(party: Party, leftMs: number): void {
    const { nowMs } = this.#options;
    if (party.creditMs <= 0) party.creditMs += QUANTUM_MS;
    const startMs = nowMs();
    let usedMs = 0;
    while (usedMs < party.creditMs && usedMs < leftMs) {
      const task = party.tasks.shift();
      if (!task) break;
      this.#run(party, task);
      usedMs = nowMs() - startMs;
    }
    party.creditMs -= usedMs;
    if (party.tasks.size > 0 && party.creditMs > 0) return;
    this.#ring.shift();
    if (party.tasks.size > 0) this.#ring.push(party);
    else this.#parties.delete(party.name);
  }

  #run(party: Party, { bytes, run, spent }: Task): void {
    party.bytes -= bytes;
    const { nowMs, onFault } = this.#options;
    const startMs = nowMs();
    try {
      run();
    } catch (error) {
      onFault(error);
    }
    spent?.(nowMs() - startMs);
  }
}
