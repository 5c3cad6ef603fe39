import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Lower than the threads that answer: about a third of their share on a busy machine, and a thread that is woken does not preempt
 * its waker, which may have a tap to answer.
 */
const NICER_BY = 5;
const NICE_MAX = 19;

/** The priority of threads whose work can wait for a tap, where the caller's own is the usual one. */
export const lowPriority = (): number => Math.min(NICE_MAX, getPriority() + NICER_BY);

/** The system's number of a thread, of a link such as "1234/task/1240". */
export const threadOf = (link: string): number => Number(basename(link));

/** Names the thread that reads it. */
export const THREAD_LINK = '/proc/thread-self';

/**
 * Lowers the priority of the calling thread; to be called once. Linux only: elsewhere threads have none of their own.
 * @returns whether it was lowered
 */
export function yieldThread(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    setPriority(threadOf(readlinkSync(THREAD_LINK)), lowPriority());
    return true;
  } catch {
    // No `/proc`, or a sandbox: the thread works at the usual priority.
    return false;
  }
}
