import type { Clock } from './clock.ts';

/** Number of parts of a wait; a pause of this thread counts as at most one part. */
const SLICES = 10;

/**
 * Runs `late` after `limitMs` in which this thread could have received an answer; returns a function that cancels it. Timers run
 * before arrived data is read: after a pause of this thread (a busy host, a computer that slept) a single timer would blame a
 * peer that has answered long ago.
 */
export function timeoutUnlessStalled(limitMs: number, clock: Clock, onTimeout: () => void): () => void {
  let left = SLICES;
  let cancelTimer: () => void = () => undefined;
  const wait = () => {
    cancelTimer = clock.schedule(limitMs / SLICES, () => (--left > 0 ? wait() : onTimeout()));
  };
  wait();
  return () => cancelTimer();
}
