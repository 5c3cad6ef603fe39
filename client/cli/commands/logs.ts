import { LOG_LEVELS, type LogLevel } from '../../../protocol/log-levels.ts';
import { checkedLogs, type LogEntry } from '../../sdk/logs.ts';
import type { Cli, SessionOptions } from '../cli.ts';
import { CommandFailure, checked, EXIT } from '../failure.ts';
import { type Define, sessionLeaf } from '../leaf.ts';
import { toNumber } from '../parse.ts';
import { dim, type Line, red, type Span, yellow } from '../terminal/line.ts';

interface Options extends SessionOptions {
  readonly after?: number;
  readonly limit?: number;
  readonly level?: LogLevel;
  readonly process?: string;
  readonly follow?: true;
}

export const define: Define = (command, cli) =>
  sessionLeaf(command, ['logs --follow', 'logs --level warning --process browser', 'logs --json > log.ndjson'])
    .option('--after <seq>', 'only lines after this one', toNumber)
    .option('--limit <number>', 'maximum number of lines', toNumber)
    .option('--level <level>', `only lines that matter at least as much: ${LOG_LEVELS.join(', ')}`)
    .option('--process <name>', 'only lines of what has this name')
    .option('-f, --follow', 'go on with what comes later, until the session ends')
    .action((options: Options) => printLines(cli, options));

async function printLines(cli: Cli, options: Options): Promise<void> {
  const { interrupt: signal } = cli.io;
  const { after, limit, level, process, follow } = options;
  checked(() => checkedLogs({ after, limit, level, process }));
  const session = await cli.session(options);
  try {
    for await (const entry of session.logs({ after, limit, level, process, follow, signal })) {
      if (options.json) cli.out.json(entry);
      else cli.out.lines([lineOf(entry), ...reportOf(entry)]);
      await cli.out.drained();
    }
  } catch (error) {
    // Ctrl-C is the normal end of `--follow`: not a failure, and without a message.
    if (follow && signal.aborted) throw new CommandFailure({}, EXIT.interrupted);
    throw error;
  }
}

const STYLES: Readonly<Record<LogLevel, (text: string) => Span>> = {
  verbose: dim,
  debug: dim,
  info: dim,
  warning: yellow,
  error: red,
  fatal: red,
};

/** The report of a crash, below its line. */
const reportOf = ({ crashReport }: LogEntry): readonly Line[] =>
  crashReport === undefined ? [] : crashReport.split('\n').map((text): Line => ['    ', text.replaceAll('\t', '    ')]);

function lineOf({ seq, at, level, process, pid, text, truncated, lostBefore }: LogEntry): Line {
  return [
    ...(lostBefore === undefined ? [] : [red(`[${lostBefore} lines before it are missing] `)]),
    dim(`${seq} ${at} `),
    // A newer service may know more levels.
    (STYLES[level] ?? dim)(level),
    ` ${process}${pid === undefined ? '' : `[${pid}]`}: ${text}`,
    ...(truncated ? [dim(' …')] : []),
  ];
}
