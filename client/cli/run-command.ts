import { type Argument, type Command, CommanderError } from 'commander';
import { Cli, type Io } from './cli.ts';
import { type CommandFailure, invalidRequest, toFailure } from './failure.ts';
import { type Situation, tellFailure } from './failure-lines.ts';
import { buildProgram } from './program.ts';
import { suggestions } from './suggestions.ts';
import { colored } from './terminal/colors.ts';

/** Descriptions in narrower columns are not wrapped. */
const WRAPPED_COLUMNS_MIN = 20;

/** Runs one command line and gives its exit code. Nothing but results goes to standard output. */
export async function runCommand(given: readonly string[], io: Io, version: string): Promise<number> {
  const cli = new Cli(io, version);
  const args = plain(given);
  const program = await buildProgram(cli, args);
  for (const command of everyCommand(program)) present(cli, command);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const called = calledIn(program, args);
    const failure = error instanceof CommanderError ? misuse(error, called) : toFailure(error, io.interrupt);
    tellFailure(cli.out, failure, args, situationOf(cli, called));
    return failure.exitCode;
  } finally {
    cli.close();
  }
}

/** Other ways to say the same. */
function plain(args: readonly string[]): readonly string[] {
  const [first, ...rest] = args;
  if (first === undefined) return ['--help'];
  if (first === 'help') return [...rest, '--help'];
  return /^(?:-V|--version)$/.test(first) ? ['version'] : args;
}

const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];

const termOf = (argument: Argument): string => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`);

function present(cli: Cli, command: Command): void {
  command
    .exitOverride()
    .configureHelp({
      minWidthToWrap: WRAPPED_COLUMNS_MIN,
      styleTitle: (text) => colored(text, 'bold'),
      // Every command has options.
      subcommandTerm: (child) => [child.name(), ...child.registeredArguments.map(termOf)].join(' '),
    })
    .configureOutput({
      writeOut: (text) => cli.out.own(text),
      // Errors of commander are told as others are; unrequested help is suppressed.
      writeErr: () => undefined,
      getOutHelpWidth: () => cli.out.helpColumns,
      getOutHasColors: () => cli.out.hasColors,
    });
}

/** The command that the arguments name, as far as they do. */
function calledIn(program: Command, args: readonly string[]): Command {
  let called = program;
  for (const name of args) {
    const next = called.commands.find((command) => command.name() === name);
    if (!next) break;
    called = next;
  }
  return called;
}

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';

/** Arguments that commander does not take. */
function misuse({ code, message }: CommanderError, called: Command): CommandFailure {
  const help = `See "${['runcloud', pathOf(called), '--help'].filter((word) => word !== '').join(' ')}".`;
  if (code === 'commander.help') return invalidRequest('A command is missing; --help lists them.', help);
  const text = message
    .replace(/^error: /, '')
    .replace(/\n/g, ' ')
    .replace(/\.$/, '');
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  const word = /^Unknown command '(.*?)'/.exec(sentence)?.[1];
  const paths = everyCommand(called)
    .filter(({ commands }) => commands.length === 0)
    .map(pathOf);
  const meant = word === undefined ? [] : suggestions(word, paths);
  if (meant.length > 0) {
    const list = `${meant.length > 1 ? 'one of ' : ''}${meant.join(', ')}`;
    return invalidRequest(`Unknown command '${word}' (Did you mean ${list}?)`, help);
  }
  return invalidRequest(`${sentence}${text.endsWith(')') ? '' : '.'}`, help);
}

function situationOf(cli: Cli, called: Command): Situation {
  const hasTimeout = called.options.some(({ long }) => long === '--timeout');
  return { baseUrl: baseUrlOf(cli), hasKey: Boolean(cli.io.env.RUNCLOUD_API_KEY), hasTimeout };
}

function baseUrlOf(cli: Cli): string | undefined {
  try {
    return cli.baseUrl;
  } catch {
    return undefined;
  }
}
