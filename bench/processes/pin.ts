import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Distribution of the two sides of a measurement over cores. */
export const LAYOUTS = ['one-core', 'two-cores'] as const;
export type Layout = (typeof LAYOUTS)[number];
export type Side = 'server' | 'load';

/** A command line for `spawn`. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

let taskset: boolean | undefined;

/** Whether processes can be bound to cores here, which requires Linux with `taskset`. */
export function canPin(): boolean {
  taskset ??= spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;
  return taskset;
}

/** The core of one side: with `two-cores` each side has its own, if the machine has two; otherwise both share core 0. */
export function coreOf(layout: Layout, side: Side): number {
  return layout === 'two-cores' && side === 'load' && availableParallelism() > 1 ? 1 : 0;
}

/** Binds all threads of `command` to `core`, if one is given. `taskset` replaces itself, so the process id is that of the command. */
export function pinned(command: Command, core: number | undefined): Command {
  if (core === undefined || !canPin()) return command;
  return { file: 'taskset', args: ['-c', String(core), command.file, ...command.args] };
}

let chrt: boolean | undefined;

/**
 * Runs `command` only in idle processor time (Linux, `chrt` of util-linux, sched(7): SCHED_IDLE); returns it unchanged if the
 * system does not support that.
 */
export function yielding(command: Command): Command {
  chrt ??= spawnSync('chrt', ['--idle', '0', 'true'], { stdio: 'ignore' }).status === 0;
  return chrt ? { file: 'chrt', args: ['--idle', '0', command.file, ...command.args] } : command;
}
