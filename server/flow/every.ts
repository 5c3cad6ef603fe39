import type { Clock } from './clock.ts';

/** Runs a task again and again, `everyMs` apart; the returned function ends that. */
export function every(clock: Pick<Clock, 'schedule'>, everyMs: number, task: () => void): () => void {
  let cancel: () => void = () => undefined;
  const next = () => {
    cancel = clock.schedule(everyMs, () => {
      next();
      task();
    });
  };
  next();
  return () => cancel();
}
