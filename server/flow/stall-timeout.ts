import type { Clock } from './clock.ts';

/** A wait is cut into as many; a pause of this thread's counts as one of them, however long it is. */
const SLICES = 10;

/**
 * Runs `late` after `limitMs` in which an answer could have been heard; returns what takes it back. Timers run before what
 * has arrived is read: after a pause of this thread's (a busy host, a computer that slept) one timer for the whole time would
 * blame a peer that has answered long ago.
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
