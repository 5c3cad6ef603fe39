import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Where the two sides of a measurement run. */
export const LAYOUTS = ['one-core', 'two-cores'] as const;
export type Layout = (typeof LAYOUTS)[number];
export type Side = 'server' | 'load';

/** A command line for `spawn`. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

let taskset: boolean | undefined;

/** Whether processes can be pinned here: Linux with `taskset`. Without it the scheduler places them. */
export function canPin(): boolean {
  taskset ??= spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;
  return taskset;
}

/** The core of one side: both share core 0, or each has its own where the machine has two. */
export function coreOf(layout: Layout, side: Side): number {
  return layout === 'two-cores' && side === 'load' && availableParallelism() > 1 ? 1 : 0;
}

/** `command`, all its threads bound to `core`, if one is named. `taskset` replaces itself, so the process id stays the child's own. */
export function pinned(command: Command, core: number | undefined): Command {
  if (core === undefined || !canPin()) return command;
  return { file: 'taskset', args: ['-c', String(core), command.file, ...command.args] };
}

let chrt: boolean | undefined;

/**
 * `command`, run only in time that nothing else on the machine wants (Linux, `chrt` of util-linux, sched(7): SCHED_IDLE);
 * as it is where that cannot be asked for.
 */
export function yielding(command: Command): Command {
  chrt ??= spawnSync('chrt', ['--idle', '0', 'true'], { stdio: 'ignore' }).status === 0;
  return chrt ? { file: 'chrt', args: ['--idle', '0', command.file, ...command.args] } : command;
}
