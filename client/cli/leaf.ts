import { Command } from 'commander';

/** A command that does something, with what all of them have. */
export function leaf(name: string, summary: string, examples: readonly string[]): Command {
  return new Command(name)
    .description(summary)
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ runcloud ${example}`).join('\n')}`);
}

/** A command for one session. */
export const sessionLeaf = (name: string, summary: string, examples: readonly string[]): Command =>
  leaf(name, summary, examples).option('-s, --session <id>', 'the session (default: RUNCLOUD_SESSION or the last one)');

/** A command that only holds others. */
export const group = (name: string, summary: string, commands: readonly Command[]): Command =>
  commands.reduce((parent, command) => parent.addCommand(command), new Command(name).description(summary));
