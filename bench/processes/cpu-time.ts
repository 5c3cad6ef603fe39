import { readdirSync, readFileSync } from 'node:fs';

/**
 * Processor time that all threads of a process have used so far, in microseconds; `undefined` where the system does
 * not tell (it is read from Linux's `schedstat`). It is what a request costs, whatever core it waits for.
 */
export function cpuTimeUs(pid: number): number | undefined {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const ofTask = (task: string) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
    return tasks.reduce((sumNs, task) => sumNs + ofTask(task), 0) / 1_000;
  } catch {
    return undefined;
  }
}
