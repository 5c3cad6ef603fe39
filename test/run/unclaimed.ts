import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Gives the next file that no process has claimed yet, and claims it.
 *
 * @param folder of the claims, which the processes of a pool share; it is there, and empty when the first of them starts
 * @param filesMax how many one process claims
 */
export function* unclaimed(files: readonly string[], folder: string, filesMax: number): Generator<string, void> {
  let claimed = 0;
  for (const file of files) {
    if (claimed >= filesMax) return;
    if (!isClaimed(join(folder, encodeURIComponent(file)))) continue;
    claimed++;
    yield file;
  }
}

/** One process alone can make a folder. */
function isClaimed(claim: string): boolean {
  try {
    mkdirSync(claim);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
