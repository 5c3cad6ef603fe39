import { Command } from 'commander';
import { DEFAULT_BASE_URL } from '../sdk/client.ts';
import type { Cli } from './cli.ts';
import { allSections, type Group, HELP, type Leaf, OWN_COMMANDS, type Section } from './command-table.ts';
import { wrapped } from './terminal/width.ts';

const ENVIRONMENT = {
  RUNCLOUD_API_KEY: 'your key; takes precedence over a sign-in',
  RUNCLOUD_BASE_URL: `the service (default: ${DEFAULT_BASE_URL})`,
  RUNCLOUD_SESSION: 'the session (default: the last one)',
  NO_COLOR: 'no colours on a terminal; FORCE_COLOR overrides it',
};

const OUTPUT = [
  'A terminal gets sentences and tables, a pipe plain lines, and --json JSON. With --json, and where standard error is no terminal, a failure is one JSON object on standard error.',
  'Exit codes: 1 failed, 2 wrong arguments, 124 timed out, 130 interrupted.',
];

/** What stands below the commands. */
function notes(columns: number): string {
  const width = Math.max(...Object.keys(ENVIRONMENT).map(({ length }) => length)) + 4;
  const variables = Object.entries(ENVIRONMENT).flatMap(([name, text]) => {
    const [first = '', ...rest] = wrapped(text, columns - width);
    return [`  ${name}`.padEnd(width) + first, ...rest.map((line) => ' '.repeat(width) + line)];
  });
  return ['', 'Environment:', ...variables, '', ...OUTPUT.flatMap((text) => wrapped(text, columns))].join('\n');
}

/** The command line, as far as `args` call it: where they name a command, no other is loaded. */
export async function buildProgram(cli: Cli, [first, second]: readonly string[]): Promise<Command> {
  const program = new Command('runcloud')
    .description('Remote control of iOS Simulators and Android Emulators')
    .version(cli.version, '-V, --version', 'print the version')
    .addHelpText('after', () => notes(cli.out.helpColumns))
    .addHelpCommand(
      new Command('help').argument('[command]').description('Show the help of a command').helpGroup(HELP),
    );
  for (const { heading, commands } of await sectionsFor(first)) {
    for (const one of commands) program.addCommand((await made(cli, one, second)).helpGroup(heading));
  }
  return program;
}

/** All commands, or the one of this name. */
async function sectionsFor(name: string | undefined): Promise<readonly Section[]> {
  const isCalled = (command: Leaf | Group) => command.name === name;
  const own = OWN_COMMANDS.find(isCalled);
  if (own) return [{ heading: '', commands: [own] }];
  const all = await allSections();
  const action = all.flatMap(({ commands }) => commands).find(isCalled);
  return action ? [{ heading: '', commands: [action] }] : all;
}

/** @param called of a group, only this one is loaded if it is there */
async function made(cli: Cli, entry: Leaf | Group, called?: string): Promise<Command> {
  const command = new Command(entry.name).description(entry.summary);
  if ('load' in entry) return (await entry.load()).define(command, cli, () => buildProgram(cli, []));
  const leaf = entry.leaves.find(({ name }) => name === called);
  for (const one of leaf ? [leaf] : entry.leaves) command.addCommand(await made(cli, one));
  return command;
}
