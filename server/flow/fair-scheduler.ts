import { Fifo } from './fifo.ts';

/**
 * Time that waiting tasks may take in one iteration of the event loop. A light message waits for this and one task at
 * most.
 */
export const SCHEDULER_SLICE_MS = 1;
/** Time that each party gets in a round. The part that it does not use is carried over, up to the length of a task. */
const QUANTUM_MS = 0.5;

export interface FairSchedulerOptions {
  readonly nowMs: () => number;
  /** Runs a task when the event loop has seen to everything else. */
  readonly defer: (task: () => void) => void;
  /** How many bytes may wait for one party. */
  readonly bytesMax: number;
  readonly onFault: (error: unknown) => void;
}

/** How many short tasks of one party are done in one turn of the loop where they come; the others wait like long ones. */
export const SHORT_TASKS_MAX = 64;
/** Memory that a waiting task takes beside its bytes. */
const TASK_BYTES = 256;

/** The number of short tasks that one party ran in this iteration of the loop. Only `FairScheduler` changes it. */
export interface TaskBudget {
  turn: number;
  taken: number;
}

interface Task {
  readonly bytes: number;
  readonly run: () => void;
  /** Told how long it took, in milliseconds of the thread. */
  readonly spent: ((ms: number) => void) | undefined;
}

/** The waiting tasks of one party, first in first out. */
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
 * in a queue of its party, and the queues are served in turn, by the time that they use, in slices with the loop free in
 * between. Whatever one party asks for, another waits for a slice and a task at most.
 */
export class FairScheduler {
  readonly #options: FairSchedulerOptions;
  readonly #parties = new Map<string, Party>();
  /** The parties with waiting tasks, in the order of their turns. */
  readonly #ring = new Fifo<Party>();
  #deferred = false;
  readonly #budgets = new Map<string, TaskBudget>();
  /** Turns of the loop in which something short was done. */
  #turn = 0;
  #turnEnds = false;

  constructor(options: FairSchedulerOptions) {
    this.#options = options;
  }

  /** Call it once for a party that has short tasks. */
  budgetOf(name: string): TaskBudget {
    const budget = this.#budgets.get(name) ?? { turn: 0, taken: SHORT_TASKS_MAX };
    this.#budgets.set(name, budget);
    return budget;
  }

  /** True when a short task may run now, in this iteration of the loop. Counts the task. */
  mayRunNow(budget: TaskBudget): boolean {
    if (!this.#turnEnds) {
      this.#turnEnds = true;
      this.#turn++;
      this.#options.defer(this.#endTurn);
    }
    if (budget.turn !== this.#turn) {
      budget.turn = this.#turn;
      budget.taken = 0;
    }
    return ++budget.taken <= SHORT_TASKS_MAX;
  }

  readonly #endTurn = (): void => {
    this.#turnEnds = false;
  };

  /**
   * Takes a task for this party; `false`, and it is not taken, when so much waits already.
   * @param payload bytes that it holds on to
   * @param spent told how long it took
   */
  add(name: string, payload: number, run: () => void, spent?: (ms: number) => void): boolean {
    const bytes = payload + TASK_BYTES;
    const waiting = this.#parties.get(name)?.bytes ?? 0;
    if (waiting > 0 && waiting + bytes > this.#options.bytesMax) return false;
    this.#push(name, { bytes, run, spent });
    return true;
  }

  /** Adds a task of the service itself, however many wait. The caller bounds their number. */
  addUnbounded(name: string, run: () => void): void {
    this.#push(name, { bytes: 0, run, spent: undefined });
  }

  #push(name: string, task: Task): void {
    let party = this.#parties.get(name);
    if (!party) {
      // Known for as long as it has a place in the ring: also while its last task runs, which may add another one.
      party = new Party(name);
      this.#parties.set(name, party);
      this.#ring.push(party);
    }
    party.tasks.push(task);
    party.bytes += task.bytes;
    this.#later();
  }

  #later(): void {
    if (this.#deferred) return;
    this.#deferred = true;
    this.#options.defer(this.#slice);
  }

  readonly #slice = (): void => {
    this.#deferred = false;
    const { nowMs } = this.#options;
    const untilMs = nowMs() + SCHEDULER_SLICE_MS;
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
