import { performance } from 'node:perf_hooks';
import { startTimer, type TimerParts } from '@runcloud/protocol/terms';

/** Time as the engines see it, passed in so that tests can turn it. */
export interface Clock {
  /** Milliseconds that never go back; the origin means nothing. */
  monotonicMs(): number;
  /** Milliseconds since the Unix epoch. */
  wallMs(): number;
  /**
   * Runs `task` once after `delayMs`, which may be of any length; the returned function takes it back. It never keeps the
   * process alive. Throws a `RangeError` for a delay that is no number.
   */
  schedule(delayMs: number, task: () => void): () => void;
}

/** The global of the same name is a getter that costs as much as the clock itself. */
const monotonicMs = () => performance.now();

const TIMERS: TimerParts<NodeJS.Timeout> = {
  nowMs: monotonicMs,
  set: (task, delayMs) => setTimeout(task, delayMs).unref(),
  clear: clearTimeout,
};

/**
 * The machine's clock.
 * @param onFault receives an error that a task throws; the error concerns that task alone. Without it the thread ends
 * @param timers stand in for the machine's own in tests
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

/** For threads that live and die for their own devices, and for commands. */
export const systemClock: Clock = createClock();
