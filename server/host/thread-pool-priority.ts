import { readlink } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Lower than the threads that answer: about a third of their share on a busy machine, and a thread woken for an encoding does not
 * preempt its waker, which may have a tap to answer.
 */
const NICER_BY = 5;
const NICE_MAX = 19;
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
    const nice = Math.min(NICE_MAX, getPriority() + NICER_BY);
    for (let round = 0; round < ROUNDS_MAX && found.size < threads; round++) {
      // A job's answer is the thread that did it: "1234/task/1240".
      const links = await Promise.all(Array.from({ length: JOBS }, () => readlink('/proc/thread-self')));
      for (const thread of links.map((link) => Number(basename(link)))) {
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
