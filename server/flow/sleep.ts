import type { Clock } from './clock.ts';

/** Waits until `clock.monotonicMs()` reaches `dueMs`; rejects with the signal's reason when that fires first. */
export function sleepUntil(dueMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const delayMs = dueMs - clock.monotonicMs();
    if (delayMs <= 0) return resolve();
    const onAbort = () => {
      takeBack();
      reject(signal.reason);
    };
    const takeBack = clock.schedule(delayMs, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
