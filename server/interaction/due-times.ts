import type { Clock } from '../flow/clock.ts';
import type { Deadline, DeadlineWheel } from '../flow/deadline-wheel.ts';
import { throwUncaught } from '../flow/throw-uncaught.ts';

/** A request with a due time, on the monotonic clock. */
export interface Due {
  dueMs: number;
}

export interface DueTimesOptions<T extends Due> {
  readonly clock: Clock;
  readonly deadlines: DeadlineWheel;
  /** Everything that may come due. */
  readonly pending: () => Iterable<T>;
  readonly onDue: (one: T) => void;
  /** Runs a task when the session's account has its turn; at once when absent. */
  readonly turn?: (task: () => void) => void;
  /** Receives an error that `onDue` throws, which ends that request alone. */
  readonly onFault?: (error: unknown, one: T) => void;
}

/** Telling thousands of their end takes long: after this time the others wait for another turn. */
const SLICE_MS = 0.5;

const atOnce = (task: () => void): void => task();

/**
 * The due times of one session's requests behind one deadline, that of the earliest. Nearly all requests end long before
 * they are due, so each costs a number; when the deadline comes, the pending ones are looked through for the next.
 */
export class DueTimes<T extends Due> {
  readonly #options: DueTimesOptions<T>;
  #deadline: Deadline | undefined;
  #earliestMs = Number.POSITIVE_INFINITY;

  constructor(options: DueTimesOptions<T>) {
    this.#options = options;
  }

  /** @param nowMs on the monotonic clock */
  set(one: T, delayMs: number, nowMs: number): void {
    one.dueMs = nowMs + delayMs;
    if (one.dueMs < this.#earliestMs) this.#await(one.dueMs, nowMs);
  }

  /** Nothing is pending any more. */
  clear(): void {
    this.#deadline?.cancel();
    this.#deadline = undefined;
    this.#earliestMs = Number.POSITIVE_INFINITY;
  }

  #await(dueMs: number, nowMs: number): void {
    this.#deadline?.cancel();
    this.#earliestMs = dueMs;
    this.#deadline = this.#options.deadlines.add(dueMs - nowMs, this.#onTime);
  }

  readonly #onTime = (): void => {
    const { turn = atOnce } = this.#options;
    this.clear();
    turn(this.#fireDue);
  };

  readonly #fireDue = (): void => {
    const { clock, pending, onDue, onFault = throwUncaught, turn = atOnce } = this.#options;
    const nowMs = clock.monotonicMs();
    let spentMs = 0;
    // Copied first: what is due may end, and others with it.
    for (const one of [...pending()]) {
      if (one.dueMs > nowMs) continue;
      if (spentMs >= SLICE_MS) return turn(this.#fireDue);
      try {
        onDue(one);
      } catch (error) {
        onFault(error, one);
      }
      spentMs = clock.monotonicMs() - nowMs;
    }
    let earliestMs = Number.POSITIVE_INFINITY;
    for (const { dueMs } of pending()) earliestMs = Math.min(earliestMs, dueMs);
    if (earliestMs < this.#earliestMs) this.#await(earliestMs, nowMs);
  };
}
