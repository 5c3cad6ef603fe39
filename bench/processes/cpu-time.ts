import { readdirSync, readFileSync } from 'node:fs';

/**
 * Processor time that all threads of a process have used so far, in microseconds, from Linux's `schedstat`; `undefined` on
 * other systems. Unlike latency, it does not include the time in which a request waits for a core.
 */
export function cpuTimeUs(pid: number): number | undefined {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    return tasks.reduce((sumNs, task) => sumNs + threadNs(pid, task), 0) / 1_000;
  } catch {
    return undefined;
  }
}

/** The same of the main thread alone. */
export function mainThreadCpuUs(pid: number): number | undefined {
  try {
    return threadNs(pid, String(pid)) / 1_000;
  } catch {
    return undefined;
  }
}

const threadNs = (pid: number, thread: string): number =>
  Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
