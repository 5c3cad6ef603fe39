import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allocationsOf, cpuOf, formatProfile } from './profile-table.ts';

/** Threads that were busy for less than this share of the busiest one's time are left out. */
const BUSY_SHARE_MIN = 0.02;

/** Formats the profiles of a folder as tables, largest first. */
export function formatProfiles(dir: string): string {
  const read = (file: string) => JSON.parse(readFileSync(join(dir, file), 'utf8'));
  const threads = readdirSync(dir)
    .filter((file) => file.endsWith('.cpuprofile'))
    .map((file) => file.replace(/\.cpuprofile$/, ''))
    .map((name) => ({ name, cpu: cpuOf(read(`${name}.cpuprofile`)) }))
    .sort((one, other) => other.cpu.amount - one.cpu.amount);
  const least = (threads[0]?.cpu.amount ?? 0) * BUSY_SHARE_MIN;
  const tables = threads
    .filter(({ cpu }) => cpu.amount > 0 && cpu.amount >= least)
    .flatMap(({ name, cpu }) => {
      const heap = allocationsOf(read(`${name}.heapprofile`));
      return [
        formatProfile(`${name}: ${(cpu.amount / 1e6).toFixed(2)} s of processor time`, cpu),
        formatProfile(`${name}: ${(heap.amount / 1e6).toFixed(0)} MB allocated`, heap),
      ];
    });
  return [...tables, `The profiles are in ${dir}; a browser’s DevTools open them.`].join('\n\n');
}
