import envPaths from 'env-paths';
import { EXIT, toFailure } from './failure.ts';
import { tellFailure } from './failure-lines.ts';
import { openInBrowser } from './open-in-browser.ts';
import { runCommand } from './run-command.ts';
import { WriteOut } from './write-out.ts';

/** Longer than the renewal of a sign-in takes, whose answer must not be lost. */
const LAST_MS = 15_000;

/** The command `runcloud`, in this process. */
export async function main(version: string): Promise<void> {
  const interrupt = new AbortController();
  process.on('SIGINT', () => {
    // A second Ctrl-C exits at once.
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
    interrupt.abort();
  });
  // A reader that has seen enough, as in "runcloud watch | head -1", is no failure.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : EXIT.failed));

  const { stdin, stdout, stderr, env } = process;
  const args = process.argv.slice(2);
  const out = new WriteOut(stdout, stderr, env);
  // A fault of this program is told as any failure is: what a service sent goes to no terminal as it is.
  process.on('uncaughtException', (error) => {
    const failure = toFailure(error, interrupt.signal);
    tellFailure(out, failure, args, {});
    process.exit(failure.exitCode);
  });
  const stateFolder = envPaths('runcloud', { suffix: '' }).config;
  const io = { stdin, stdout, stderr, env, interrupt: interrupt.signal, stateFolder, openInBrowser };
  process.exitCode = await runCommand(args, io, version);
  // Work that is in progress, such as the renewal of a sign-in, may finish first; it has a time limit of its own.
  setInterval(() => out.isFlushed && process.exit(), LAST_MS).unref();
}
