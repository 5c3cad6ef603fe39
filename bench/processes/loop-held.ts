import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Module that makes a server report for how long its event loop is blocked. */
export const LOOP_WATCH: string = new URL('./loop-watch.mjs', import.meta.url).href;

/** How long the event loop of a server's main thread was blocked since the last query. */
export interface LoopHeld {
  readonly p99Ms: number;
  readonly maxMs: number;
}

const ANSWER_MS_MAX = 10_000;

/** Queries a child that was started with `LOOP_WATCH`. Rejects if it does not answer. */
export async function askLoopHeld(child: ChildProcess): Promise<LoopHeld> {
  const answered = once(child, 'message', { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  child.send('loop');
  const [held] = (await answered) as [LoopHeld];
  return held;
}
