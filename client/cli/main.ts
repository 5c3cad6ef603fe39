import { readFileSync } from 'node:fs';
import envPaths from 'env-paths';
import { EXIT } from './failure.ts';
import { runCommand } from './run-command.ts';

/** The command `runcloud`. */
const interrupt = new AbortController();
process.on('SIGINT', () => {
  // Who presses it twice does not want to wait for anything.
  if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
  interrupt.abort();
});
// A reader that has seen enough, as in "runcloud watch | head -1", is no failure.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : EXIT.failed));

// Both the source and the built file lie one folder below the package's own.
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};
const { stdin, stdout, stderr, env } = process;
const stateFolder = envPaths('runcloud', { suffix: '' }).config;
const io = { stdin, stdout, stderr, env, interrupt: interrupt.signal, stateFolder };
process.exitCode = await runCommand(process.argv.slice(2), io, version);
