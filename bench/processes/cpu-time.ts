import { readdirSync, readFileSync } from 'node:fs';

/**
 * Processor time that all threads of a process have used so far, in microseconds; `undefined` where the system does
 * not tell (it is read from Linux's `schedstat`). It is what a request costs, whatever core it waits for.
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
