import type { Clock } from './clock.ts';

/**
 * Interval of checks whether the wall clock was set, or the machine slept while its monotonic clock stood still. Short compared
 * with every lifetime of a credential, long compared with the cost of a check.
 */
export const WALL_CHECK_MS = 30_000;

/**
 * Runs `task` once when the wall clock has reached `atMs` (Unix epoch), never before; the returned function cancels it. A timer
 * measures elapsed time but an expiry is a date, and setting the clock changes the difference, so it is checked repeatedly.
 */
export function scheduleAtWallTime(atMs: number, clock: Clock, task: () => void): () => void {
  let cancelTimer: () => void = () => undefined;
  const check = () => {
    if (clock.wallMs() >= atMs) task();
    else wait();
  };
  const wait = () => {
    cancelTimer = clock.schedule(Math.min(Math.max(0, atMs - clock.wallMs()), WALL_CHECK_MS), check);
  };
  wait();
  return () => cancelTimer();
}
