import type { Clock } from './clock.ts';

/** Something took longer than it may. */
export class TimeoutError extends Error {}

/** Settles as `work` does, or rejects with `TimeoutError` after `limitMs`. The work itself goes on. */
export function withTimeout<T>(limitMs: number, clock: Clock, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancelTimer = clock.schedule(limitMs, () => reject(new TimeoutError(`took longer than ${limitMs} ms`)));
    work.then(resolve, reject).finally(cancelTimer);
  });
}
