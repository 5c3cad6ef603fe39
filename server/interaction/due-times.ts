import type { Clock } from '../flow/clock.ts';
import type { Deadline, DeadlineWheel } from '../flow/deadline-wheel.ts';
import { unheard } from '../flow/unheard.ts';

/** What is due at a time, on the monotonic clock. */
export interface Due {
  dueMs: number;
}

export interface DueTimesOptions<T extends Due> {
  readonly clock: Clock;
  readonly deadlines: DeadlineWheel;
  /** Everything that may come due. */
  readonly pending: () => Iterable<T>;
  readonly onDue: (one: T) => void;
  /** Told of what `onDue` throws: that one is over, and the others have their turn. */
  readonly onFault?: (error: unknown, one: T) => void;
}

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
    const { clock, pending, onDue, onFault = unheard } = this.#options;
    const nowMs = clock.monotonicMs();
    this.clear();
    // Copied first: what is due may end, and others with it.
    for (const one of [...pending()]) {
      if (one.dueMs > nowMs) continue;
      try {
        onDue(one);
      } catch (error) {
        onFault(error, one);
      }
    }
    let earliestMs = Number.POSITIVE_INFINITY;
    for (const { dueMs } of pending()) earliestMs = Math.min(earliestMs, dueMs);
    if (earliestMs < this.#earliestMs) this.#await(earliestMs, nowMs);
  };
}
