import { Fifo } from './fifo.ts';

/**
 * Time for queued tasks in one iteration of the event loop. A short message waits at most for this and one task.
 */
export const SCHEDULER_SLICE_MS = 0.5;
/** The quantum of each party per round. The unused part is carried over, up to the length of a task. */
const QUANTUM_MS = 0.25;

export interface FairSchedulerOptions {
  readonly nowMs: () => number;
  /** Runs a task after the event loop has handled everything else. */
  readonly defer: (task: () => void) => void;
  /** Runs a task after about so many milliseconds. */
  readonly rest: (ms: number, task: () => void) => void;
  /** Maximum number of queued bytes per party. */
  readonly bytesMax: number;
  readonly onFault: (error: unknown) => void;
}

/** Short tasks of one party that run at once in one iteration of the loop; further ones are queued like long tasks. */
export const SHORT_TASKS_MAX = 64;
/** Memory of a queued task beside its bytes. */
const TASK_BYTES = 256;

/** The number of short tasks of one party in this iteration of the loop. Only `FairScheduler` changes it. */
export interface TaskBudget {
  turn: number;
  taken: number;
}

interface Task {
  readonly bytes: number;
  readonly run: () => void;
  readonly isShort: boolean;
  /** Called with the task's duration in milliseconds of the thread. */
  readonly spent: ((ms: number) => void) | undefined;
}

/** The FIFO queue of one party. */
class Party {
  readonly name: string;
  readonly tasks = new Fifo<Task>();
  bytes = 0;
  /** Remaining time; negative after an overrun, until later rounds have refilled it. */
  creditMs = 0;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Shares the event loop's time among parties (accounts) by deficit round robin: long tasks wait in a queue per party, and the
 * queues are served in turn, weighted by time, in slices with the loop free in between. However much work one party has, another
 * waits at most for a slice and a task. After a long task the loop is free for as long as the task took: a short message, which
 * comes through the loop more than once, mostly meets a free one.
 */
export class FairScheduler {
  readonly #options: FairSchedulerOptions;
  readonly #parties = new Map<string, Party>();
  /** The parties with queued tasks, in round-robin order. */
  readonly #ring = new Fifo<Party>();
  #deferred = false;
  readonly #budgets = new Map<string, TaskBudget>();
  /** Number of loop iterations in which a short task ran. */
  #turn = 0;
  #turnEnds = false;
  /** The longest of the long tasks of this slice; one of more than a slice could not be divided. */
  #longestMs = 0;

  constructor(options: FairSchedulerOptions) {
    this.#options = options;
  }

  /** Creates the counter of a party's short tasks; call it once per party. */
  budgetOf(name: string): TaskBudget {
    const budget = this.#budgets.get(name) ?? { turn: 0, taken: SHORT_TASKS_MAX };
    this.#budgets.set(name, budget);
    return budget;
  }

  /**
   * Whether a short task may run in this iteration of the loop; counts the task.
   * @param tasks how many of the shortest it costs
   */
  mayRunNow(budget: TaskBudget, tasks = 1): boolean {
    if (!this.#turnEnds) {
      this.#turnEnds = true;
      this.#turn++;
      this.#options.defer(this.#endTurn);
    }
    if (budget.turn !== this.#turn) {
      budget.turn = this.#turn;
      budget.taken = 0;
    }
    budget.taken += tasks;
    return budget.taken <= SHORT_TASKS_MAX;
  }

  readonly #endTurn = (): void => {
    this.#turnEnds = false;
  };

  /**
   * Queues a long task of this party; `false` without queueing it if too many bytes wait.
   * @param payload bytes that the task holds in memory
   * @param spent called with its duration
   */
  add(name: string, payload: number, run: () => void, spent?: (ms: number) => void): boolean {
    return this.#add(name, payload, { run, isShort: false, spent });
  }

  /**
   * Queues a short task that `mayRunNow` did not let run; otherwise like `add`. If it takes long all the same, something else had
   * the processor meanwhile, another thread or the collector of garbage, and a rest would only add to the time that was lost.
   */
  addShort(name: string, payload: number, run: () => void, spent?: (ms: number) => void): boolean {
    return this.#add(name, payload, { run, isShort: true, spent });
  }

  /**
   * Runs a long task now if nothing is queued, one per iteration of the loop. Returns `undefined` without running it otherwise.
   * @param spent called with its duration
   */
  runIfIdle<T extends object>(task: () => T, spent?: (ms: number) => void): T | undefined {
    if (this.#deferred) return undefined;
    // Further tasks of this iteration of the event loop are queued.
    this.#later();
    const { nowMs } = this.#options;
    const startMs = nowMs();
    const result = task();
    spent?.(nowMs() - startMs);
    return result;
  }

  /** Queues a task of the service itself without a limit. The caller bounds their number. */
  addUnbounded(name: string, run: () => void): void {
    this.#push(name, { bytes: 0, run, isShort: false, spent: undefined });
  }

  #add(name: string, payload: number, task: Omit<Task, 'bytes'>): boolean {
    const bytes = payload + TASK_BYTES;
    const waiting = this.#parties.get(name)?.bytes ?? 0;
    if (waiting > 0 && waiting + bytes > this.#options.bytesMax) return false;
    this.#push(name, { ...task, bytes });
    return true;
  }

  #push(name: string, task: Task): void {
    let party = this.#parties.get(name);
    if (!party) {
      // Kept while it has a place in the ring, even during its last task, which may add another one.
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
    const { nowMs } = this.#options;
    const untilMs = nowMs() + SCHEDULER_SLICE_MS;
    this.#longestMs = 0;
    for (let party = this.#ring.peek(); party; party = this.#ring.peek()) {
      const leftMs = untilMs - nowMs();
      if (leftMs <= 0) break;
      this.#serve(party, leftMs);
    }
    this.#deferred = this.#ring.size > 0;
    if (!this.#deferred) return;
    if (this.#longestMs > SCHEDULER_SLICE_MS) this.#options.rest(this.#longestMs, this.#slice);
    else this.#options.defer(this.#slice);
  };

  /** Serves the first party of the ring; continues in the next slice if this one is over. */
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

  #run(party: Party, { bytes, run, isShort, spent }: Task): void {
    party.bytes -= bytes;
    const { nowMs, onFault } = this.#options;
    const startMs = nowMs();
    try {
      run();
    } catch (error) {
      onFault(error);
    }
    const ms = nowMs() - startMs;
    if (!isShort && ms > this.#longestMs) this.#longestMs = ms;
    spent?.(ms);
  }
}
