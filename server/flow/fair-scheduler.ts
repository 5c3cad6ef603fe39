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
    return this.#add(name, { bytes: payload + TASK_BYTES, run, isShort: false, spent });
  }

  /**
   * Queues a short task that `mayRunNow` did not let run; otherwise like `add`. If it takes long all the same, something else had
   * the processor meanwhile, another thread or the collector of garbage, and a rest would only add to the time that was lost.
   */
  addShort(name: string, payload: number, run: () => void, spent?: (ms: number) => void): boolean {
    return this.#add(name, { bytes: payload + TASK_BYTES, run, isShort: true, spent });
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

  #add(name: string, task: Task): boolean {
    const waiting = this.#parties.get(name)?.bytes ?? 0;
    if (waiting > 0 && waiting + task.bytes > this.#options.bytesMax) return false;
    this.#push(name, task);
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
    const startMs = this.#options.nowMs();
    const untilMs = startMs + SCHEDULER_SLICE_MS;
    this.#longestMs = 0;
    let atMs = startMs;
    for (let party = this.#ring.peek(); party && atMs < untilMs; party = this.#ring.peek()) {
      atMs = this.#serve(party, atMs, untilMs);
    }
    this.#deferred = this.#ring.size > 0;
    if (!this.#deferred) return;
    if (this.#longestMs > SCHEDULER_SLICE_MS) this.#options.rest(this.#longestMs, this.#slice);
    else this.#options.defer(this.#slice);
  };

  /** Serves the first party of the ring; continues in the next slice if this one is over. Returns the time at the end. */
  #serve(party: Party, startMs: number, untilMs: number): number {
    if (party.creditMs <= 0) party.creditMs += QUANTUM_MS;
    let atMs = startMs;
    while (atMs - startMs < party.creditMs && atMs < untilMs) {
      const task = party.tasks.shift();
      if (!task) break;
      atMs = this.#run(party, task, atMs);
    }
    party.creditMs -= atMs - startMs;
    if (party.tasks.size > 0 && party.creditMs > 0) return atMs;
    this.#ring.shift();
    if (party.tasks.size > 0) this.#ring.push(party);
    else this.#parties.delete(party.name);
    return atMs;
  }

  /** Returns the time at the end: the next task's start, as the clock is read once for each. */
  #run(party: Party, { bytes, run, isShort, spent }: Task, startMs: number): number {
    party.bytes -= bytes;
    const { nowMs, onFault } = this.#options;
    try {
      run();
    } catch (error) {
      onFault(error);
    }
    const endMs = nowMs();
    const ms = endMs - startMs;
    if (!isShort && ms > this.#longestMs) this.#longestMs = ms;
    spent?.(ms);
    return endMs;
  }
}
