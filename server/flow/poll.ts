import type { Clock } from './clock.ts';
import { sleepUntil } from './sleep.ts';

export interface PollTimes {
  /** The pause between the end of one attempt and the begin of the next. */
  readonly everyMs: number;
  /** An attempt that ends later than this is the last one. */
  readonly forMs: number;
  /** Ends a pause. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes attempts one after the other until one gives what is wanted or the time is over; settles with what the last one gave.
 * Rejects with what an attempt rejects with, and with the signal's reason.
 * @param isWanted anything that counts as true where nothing is said
 */
export async function poll<T>(
  clock: Clock,
  { everyMs, forMs, signal = new AbortController().signal }: PollTimes,
  attempt: () => T | Promise<T>,
  isWanted: (value: T) => boolean = Boolean,
): Promise<T> {
  const untilMs = clock.monotonicMs() + forMs;
  for (;;) {
    const value = await attempt();
    if (isWanted(value) || clock.monotonicMs() > untilMs) return value;
    await sleepUntil(clock.monotonicMs() + everyMs, clock, signal);
  }
}
