import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Loaded into a server whose time and memory are to be looked into. */
export const PROFILE_WATCH: string = new URL('./profile-watch.mjs', import.meta.url).href;

/** The environment variable that has the service profiled: the folder for what is found. */
export const PROFILE_DIR = 'BENCH_PROFILE_DIR';

const ANSWER_MS_MAX = 30_000;

/** Has a child that was started with `PROFILE_WATCH` begin. Rejects when it does not answer. */
export async function beginProfile(child: ChildProcess): Promise<void> {
  await tell(child, 'profile');
}

/** Has it end, and write a CPU profile and a heap profile of each thread to the folder. */
export async function endProfile(child: ChildProcess, dir: string): Promise<void> {
  await tell(child, { profileTo: dir });
}

async function tell(child: ChildProcess, order: string | object): Promise<void> {
  const answered = once(child, 'message', { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  child.send(order);
  await answered;
}
