import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Loaded into a server that is to tell how long its loop is held. */
export const LOOP_WATCH: string = new URL('./loop-watch.mjs', import.meta.url).href;

/** How long the loop of a server's main thread was held since the question before. */
export interface LoopHeld {
  readonly p99Ms: number;
  readonly maxMs: number;
}

const ANSWER_MS_MAX = 10_000;

/** Asks a child that was started with `LOOP_WATCH`. Rejects when it does not answer. */
export async function askLoopHeld(child: ChildProcess): Promise<LoopHeld> {
  const answered = once(child, 'message', { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  child.send('loop');
  const [held] = (await answered) as [LoopHeld];
  return held;
}
