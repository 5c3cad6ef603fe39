import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import type { ToolEnvironment } from '../../device/target.ts';

/** The children of this thread that have not ended. Each leads a process group of its own. */
const running = new Set<ChildProcess>();

/** A group that was asked to end and has not after this is killed. */
const KILL_AFTER_MS = 1_000;

// A thread that is ended leaves no child process behind.
process.on('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL');
});

/** How many children of this thread run. */
export const runningChildren = (): number => running.size;

/**
 * Starts a program in a group of its own, with no terminal and nothing of this process's environment.
 * @param tools its whole environment
 */
export function spawnChild(
  program: string,
  args: readonly string[],
  tools: ToolEnvironment,
  stdio: SpawnOptions['stdio'],
): ChildProcess {
  const child = spawn(program, args, { env: { ...tools }, stdio, detached: true, windowsHide: true });
  running.add(child);
  const forget = () => running.delete(child);
  child.once('exit', forget);
  // A program that cannot be started ends with an error instead.
  child.once('error', forget);
  return child;
}

/**
 * Runs a script that goes on when this process ends before it: cleaning up may take longer than a service has to stop.
 * Settles when it has ended, whatever came of it.
 * @param script for `/bin/sh`; a constant, which finds everything else in its parameters
 */
export function runPastEnd(script: string, parameters: readonly string[], tools: ToolEnvironment): Promise<void> {
  const options: SpawnOptions = { env: { ...tools }, stdio: 'ignore', detached: true, windowsHide: true };
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...parameters], options);
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}

/** Ends a child and everything that it has started: politely at first, and for certain after a moment. */
export function endGroup(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  signalGroup(child, 'SIGTERM');
  const impatience = setTimeout(() => signalGroup(child, 'SIGKILL'), KILL_AFTER_MS);
  impatience.unref();
  // Processes that it has started may outlive it.
  child.once('exit', () => {
    clearTimeout(impatience);
    signalGroup(child, 'SIGKILL');
  });
}

/** Ends a child and everything that it has started at once. */
export function killGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGKILL');
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}
