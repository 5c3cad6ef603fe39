import type { PhoneClock } from './clock.ts';
import type { Timers } from './timers.ts';

const MINUTE_MS = 60_000;

/** Calls `task` at the start of each minute, which the status bar shows. */
export function eachMinute(clock: PhoneClock, timers: Timers, task: () => void): void {
  timers.set('minute', MINUTE_MS - (clock.wallMs() % MINUTE_MS), () => {
    task();
    eachMinute(clock, timers, task);
  });
}
