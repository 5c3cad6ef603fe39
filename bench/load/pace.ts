import { once } from 'node:events';
import { startThread } from '../processes/thread.ts';
import { nowUs } from './measure-window.ts';

/**
 * The pacing thread wakes the event loop this long before a request is due, and the loop spins for the rest: its own timers
 * have a resolution of a millisecond, and a thread's sleep is late by its timer slack and by the thread hop.
 */
const LEAD_US = 200;

/** The order to the pacing thread; times are microseconds of the system's monotonic clock. */
export interface Pace {
  readonly firstUs: number;
  readonly periodUs: number;
  readonly count: number;
}

/** Calls back at fixed times, which a thread of its own keeps. */
export interface Pacer {
  /** Calls `due` at `startUs` (of `nowUs`) and each `periodUs` after it, `count` times: on time or late, never early. */
  begin(startUs: number, periodUs: number, count: number, due: () => void): void;
  /** Ends the thread. */
  stop(): Promise<unknown>;
}

/** Starts the pacing thread; resolves when it is ready for an order. */
export async function startPacer(): Promise<Pacer> {
  const worker = startThread(new URL('./pace-worker.ts', import.meta.url));
  await once(worker, 'message');
  return {
    begin(startUs, periodUs, count, due) {
      const leadUs = Math.min(LEAD_US, periodUs / 4);
      const clockOffsetUs = Number(process.hrtime.bigint() / 1_000n) - nowUs();
      let dueAtUs = startUs;
      worker.on('message', () => {
        while (nowUs() < dueAtUs);
        dueAtUs += periodUs;
        due();
      });
      worker.postMessage({ firstUs: startUs + clockOffsetUs - leadUs, periodUs, count } satisfies Pace);
    },
    stop: () => worker.terminate(),
  };
}
