import type { Clock } from '../flow/clock.ts';
import { sleepUntil } from '../flow/sleep.ts';

/** After the first end; doubled after each further one. */
const FIRST_MS = 250;
const LATEST_MS = 30_000;
/** One that ran for so long begins anew with the shortest wait. */
const RAN_MS = 10_000;

/**
 * Runs what a device tells of, again and again with growing pauses, until the signal fires.
 * @param run settles when it has ended, for whatever reason; never rejects
 */
export async function followAgain(clock: Clock, signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  let waitMs = FIRST_MS;
  while (!signal.aborted) {
    const startedMs = clock.monotonicMs();
    await run();
    if (clock.monotonicMs() - startedMs >= RAN_MS) waitMs = FIRST_MS;
    // Rejects when the signal fires.
    await sleepUntil(clock.monotonicMs() + waitMs, clock, signal).catch(() => undefined);
    waitMs = Math.min(waitMs * 2, LATEST_MS);
  }
}
