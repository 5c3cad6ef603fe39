import type { Clock } from './clock.ts';

/** The error of `withTimeout`. */
export class TimeoutError extends Error {}

/** Settles like `work`, or rejects with `TimeoutError` after `limitMs`. The work itself goes on. */
export function withTimeout<T>(limitMs: number, clock: Clock, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancelTimer = clock.schedule(limitMs, () => reject(new TimeoutError(`took longer than ${limitMs} ms`)));
    work.then(resolve, reject).finally(cancelTimer);
  });
}
