import type { Command } from 'commander';
import type { Cli } from './cli.ts';

/**
 * Completes a command, which has its name and its summary: examples, arguments, options, and what it does.
 *
 * @param whole the command line with every command in it
 */
export type Define = (command: Command, cli: Cli, whole: () => Promise<Command>) => Command;

/** What every command that does something has. */
export const leaf = (command: Command, examples: readonly string[]): Command =>
  command
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ runcloud ${example}`).join('\n')}`);

/** What every command for one session has. */
export const sessionLeaf = (command: Command, examples: readonly string[]): Command =>
  leaf(command, examples).option('-s, --session <id>', 'the session (default: RUNCLOUD_SESSION or the last one)');
