import { systemClock as machineClock } from '../flow/clock.ts';

/** The source of the phone's time. Tests pass a clock that stands still. */
export interface PhoneClock {
  /** Milliseconds that never run backwards. */
  nowMs(): number;
  /** Milliseconds since 1970, for the clock in the status bar. */
  wallMs(): number;
  /** Runs `task` once after `delayMs`; the returned function cancels it. */
  schedule(delayMs: number, task: () => void): () => void;
}

/** The machine's clock. Its timers do not keep the process alive. */
export const phoneSystemClock: PhoneClock = {
  nowMs: machineClock.monotonicMs,
  wallMs: machineClock.wallMs,
  schedule: machineClock.schedule,
};
