import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

/** Module that makes a server report its memory. */
export const MEMORY_WATCH: string = new URL('./memory-watch.mjs', import.meta.url).href;

/** Memory and other resources of a server, after a garbage collection in each of its threads. */
export interface MemoryUse {
  /** Resident memory of the whole process; `NaN` if the system does not report it. */
  readonly rssBytes: number;
  /** Heaps of the thread with the sockets, and of the other threads together, including their external buffers. */
  readonly mainHeapBytes: number;
  readonly threadHeapBytes: number;
  /** Live threads, without the main one, that the service's own code started. */
  readonly threads: number;
  /** Number of resources that keep the main thread's event loop alive: sockets of the runtime, timers, requests. */
  readonly handles: number;
  /** Open file descriptors, and child processes; `NaN` if the system does not report them. */
  readonly files: number;
  readonly children: number;
}

type Told = Pick<MemoryUse, 'mainHeapBytes' | 'threadHeapBytes' | 'threads' | 'handles'>;

const ANSWER_MS_MAX = 15_000;

/** Queries a child that was started with `MEMORY_WATCH`. Rejects if it does not answer. */
export async function askMemoryUse(child: ChildProcess): Promise<MemoryUse> {
  const answered = once(child, 'message', { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  child.send('memory');
  const [told] = (await answered) as [Told];
  return { ...told, ...systemUse(child.pid ?? 0) };
}

/** Lines of `/proc/<pid>/status` are "VmRSS:     1234 kB". */
const RSS_LINE = /^VmRSS:\s+(\d+) kB$/m;

function systemUse(pid: number): Pick<MemoryUse, 'rssBytes' | 'files' | 'children'> {
  try {
    const rssKibibytes = RSS_LINE.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) => childrenOf(pid, task));
    return {
      rssBytes: Number(rssKibibytes) * 1_024,
      files: readdirSync(`/proc/${pid}/fd`).length,
      children: children.length,
    };
  } catch {
    return { rssBytes: Number.NaN, files: Number.NaN, children: Number.NaN };
  }
}

function childrenOf(pid: number, task: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean);
  } catch {
    // The thread has ended in the meantime.
    return [];
  }
}
