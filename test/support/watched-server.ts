import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from './server-process.ts';

/** Environment variables that make a server report its figures. */
export const WATCHED = { NODE_OPTIONS: `--import ${new URL('./server-watch.mjs', import.meta.url).href}` };

const TOLD_BY = { heldMs: 'SIGUSR2', heapBytes: 'SIGPWR' } as const;

/**
 * Asks a server that was started with `WATCHED`.
 * @param what `heldMs`: how long its loop was held at most since the question before; `heapBytes`: what it keeps in memory
 */
export async function askServer(program: Program, what: keyof typeof TOLD_BY): Promise<number> {
  const before = program.stderr.length;
  program.signal(TOLD_BY[what]);
  const line = new RegExp(`^\\{"${what}":([\\d.]+)\\}$`, 'm');
  for (;;) {
    const told = line.exec(program.stderr.slice(before))?.[1];
    if (told !== undefined) return Number(told);
    if (!program.running) throw new Error(`the server ended: ${program.stderr}`);
    await sleep(1);
  }
}
