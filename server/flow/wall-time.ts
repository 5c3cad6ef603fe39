import type { Clock } from './clock.ts';

/**
 * How soon is noticed that the wall clock was set, or that the machine slept while its monotonic clock stood still. Small
 * against every life of a credential, large against what a look costs.
 */
export const WALL_CHECK_MS = 30_000;

/**
 * Runs `task` once when the wall clock has reached `atMs` (Unix epoch), never before; the returned function takes it back. A
 * timer counts the time that passes, an expiry is a date: the two part when the clock is set, so it is looked at again.
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
