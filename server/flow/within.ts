import type { Clock } from './clock.ts';

/** Something took longer than it may. */
export class TookTooLong extends Error {}

/** Settles as `work` does, or rejects with `TookTooLong` after `limitMs`. The work itself goes on unheard. */
export function within<T>(limitMs: number, clock: Clock, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const takeBack = clock.schedule(limitMs, () => reject(new TookTooLong(`took longer than ${limitMs} ms`)));
    work.then(resolve, reject).finally(takeBack);
  });
}
