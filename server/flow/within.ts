import type { Clock } from './clock.ts';

/** Settles as `work` does, or rejects when that takes longer than `limitMs`. The work itself goes on unheard. */
export function within<T>(limitMs: number, clock: Clock, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const takeBack = clock.schedule(limitMs, () => reject(new Error(`took longer than ${limitMs} ms`)));
    work.then(resolve, reject).finally(takeBack);
  });
}
