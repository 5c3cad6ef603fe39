import { performance } from 'node:perf_hooks';
import { startTimer, type TimerParts } from '@runcloud/protocol/terms';

/** The clock of the engines; injected, so that tests can control time. */
export interface Clock {
  /** Monotonic milliseconds with an arbitrary origin. */
  monotonicMs(): number;
  /** Milliseconds since the Unix epoch. */
  wallMs(): number;
  /**
   * Runs `task` once after `delayMs`, which may be arbitrarily long; the returned function cancels it. Does not keep the process
   * alive. Throws a `RangeError` for NaN.
   */
  schedule(delayMs: number, task: () => void): () => void;
}

/** Cached, since the global of the same name is a getter that costs as much as reading the clock. */
const monotonicMs = () => performance.now();

const TIMERS: TimerParts<NodeJS.Timeout> = {
  nowMs: monotonicMs,
  set: (task, delayMs) => setTimeout(task, delayMs).unref(),
  clear: clearTimeout,
};

/**
 * The machine's clock.
 * @param onFault called with an error that a task throws; without it the error ends the thread
 * @param timers replace the machine's timers in tests
 */
export function createClock(onFault?: (error: unknown) => void, timers: TimerParts<NodeJS.Timeout> = TIMERS): Clock {
  const guarded = (task: () => void) => () => {
    try {
      task();
    } catch (error) {
      onFault?.(error);
    }
  };
  return {
    monotonicMs: timers.nowMs,
    wallMs: () => Date.now(),
    schedule: (delayMs, task) => startTimer(delayMs, onFault ? guarded(task) : task, timers),
  };
}

/** A clock for host threads and commands: an error in a task ends the thread. */
export const systemClock: Clock = createClock();
