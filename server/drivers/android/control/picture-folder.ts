import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'runcloud-screen-';
const OF_PROCESS = /^runcloud-screen-(\d{1,9})-/;

/**
 * A folder of this process alone in one of shared memory. Those of processes that were killed are removed: they hold
 * memory.
 */
export function makePictureFolder(parent: string): string {
  for (const name of readdirSync(parent)) {
    const pid = OF_PROCESS.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) remove(join(parent, name));
  }
  return mkdtempSync(join(parent, `${NAME}${process.pid}-`));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It is another user's.
  }
}
