import { readlink } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { lowPriority, THREAD_LINK, threadOf } from '../flow/thread-priority.ts';

/** libuv's default number of threads without `UV_THREADPOOL_SIZE`. */
const THREADS = 4;
/** Jobs of one round: enough for every idle thread to get one. */
const JOBS = 16;
const ROUNDS_MAX = 20;

/**
 * Lowers the priority of the process's thread pool, where pictures are encoded and files are read and written: all of it
 * can wait for a tap. It has no other way to tell its threads than to ask them; one that was too busy to answer keeps its
 * priority. Linux only: elsewhere threads have none of their own. Never rejects.
 * @returns how many threads were found
 */
export async function yieldThreadPool(): Promise<number> {
  const found = new Set<number>();
  if (process.platform !== 'linux') return 0;
  const threads = Number(process.env.UV_THREADPOOL_SIZE) || THREADS;
  try {
    const nice = lowPriority();
    for (let round = 0; round < ROUNDS_MAX && found.size < threads; round++) {
      // A job's answer is the thread that did it.
      const links = await Promise.all(Array.from({ length: JOBS }, () => readlink(THREAD_LINK)));
      for (const thread of links.map(threadOf)) {
        if (found.has(thread)) continue;
        found.add(thread);
        setPriority(thread, nice);
      }
    }
  } catch {
    // No `/proc`, or a sandbox: pictures are encoded at the usual priority.
  }
  return found.size;
}
