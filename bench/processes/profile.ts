import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Module that makes a server profile its time and memory. */
export const PROFILE_WATCH: string = new URL('./profile-watch.mjs', import.meta.url).href;

/** Environment variable with the folder for profiles of the service; if it is set, the service is profiled. */
export const PROFILE_DIR = 'BENCH_PROFILE_DIR';

const ANSWER_MS_MAX = 30_000;

/** Starts profiling in a child that was started with `PROFILE_WATCH`. Rejects if it does not answer. */
export async function beginProfile(child: ChildProcess): Promise<void> {
  await tell(child, 'profile');
}

/** Stops profiling and writes a CPU profile and a heap profile of each thread to the folder. */
export async function endProfile(child: ChildProcess, dir: string): Promise<void> {
  await tell(child, { profileTo: dir });
}

async function tell(child: ChildProcess, order: string | object): Promise<void> {
  const answered = once(child, 'message', { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  child.send(order);
  await answered;
}
