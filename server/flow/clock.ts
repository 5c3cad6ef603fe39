import { performance } from 'node:perf_hooks';

/** Time as the engines see it, passed in so that tests can turn it. */
export interface Clock {
  /** Milliseconds that never go back; the origin means nothing. */
  monotonicMs(): number;
  /** Milliseconds since the Unix epoch. */
  wallMs(): number;
  /** Runs `task` once after `delayMs`; the returned function takes it back. It never keeps the process alive. */
  schedule(delayMs: number, task: () => void): () => void;
}

/** The global of the same name is a getter that costs as much as the clock itself. */
export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  schedule(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
