import { type Command, CommanderError } from 'commander';
import { Cli, type Io } from './cli.ts';
import { invalidRequest, toFailure } from './failure.ts';
import { buildProgram } from './program.ts';

/** Runs one command line and gives its exit code. Nothing but results goes to standard output. */
export async function runCommand(given: readonly string[], io: Io, version: string): Promise<number> {
  const cli = new Cli(io, version);
  const args = plain(given);
  const program = await buildProgram(cli, args);
  for (const command of everyCommand(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => cli.out.own(text),
      // Errors of commander are printed as JSON instead; unrequested help is suppressed.
      writeErr: () => undefined,
      getOutHelpWidth: () => 100,
    });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const failure = toFailure(
      error instanceof CommanderError ? invalidRequest(sentenceOf(error)) : error,
      io.interrupt,
    );
    if (Object.keys(failure.envelope).length > 0) cli.out.asideJson(failure.envelope);
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

function sentenceOf({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'A command is missing; --help lists them.';
  const text = message.replace(/^error: /, '').replace(/\n/g, ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(')') ? '' : '.'}`;
}
