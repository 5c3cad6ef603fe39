import { once } from 'node:events';
import { startThread } from '../processes/thread.ts';
import { nowUs } from './measure-window.ts';

/**
 * The loop is woken this long before a request is due and spins through the rest: its own timers are a millisecond
 * wide, and a thread's sleep is late by its slack and by the hop.
 */
const LEAD_US = 200;

/** What the pacing thread is told; times are microseconds of the system's monotonic clock. */
export interface Pace {
  readonly firstUs: number;
  readonly periodUs: number;
  readonly count: number;
}

/** Fixed times, kept by a thread of its own. */
export interface Pacer {
  /** Calls `due` at `startUs` (of `nowUs`) and each `periodUs` after it, `count` times: on time or late, never early. */
  begin(startUs: number, periodUs: number, count: number, due: () => void): void;
  /** Ends the thread. */
  stop(): Promise<unknown>;
}

/** Starts the pacing thread; resolves when it waits for its times. */
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
