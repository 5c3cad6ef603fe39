import type { Clock } from './clock.ts';

/** Waits until `clock.monotonicMs()` reaches `dueMs`; rejects with the signal's reason if it is aborted first. */
export function sleepUntil(dueMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    if (dueMs <= clock.monotonicMs()) return resolve();
    let cancelTimer: () => void;
    const onAbort = () => {
      cancelTimer();
      reject(signal.reason);
    };
    // Timers have a resolution of a millisecond and may fire slightly early, so the clock decides.
    const wait = () => {
      cancelTimer = clock.schedule(Math.ceil(dueMs - clock.monotonicMs()), () => {
        if (clock.monotonicMs() < dueMs) return wait();
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
    };
    wait();
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
