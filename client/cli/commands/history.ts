import { checkedHistory } from '../../sdk/history.ts';
import type { HistoryEntry } from '../../sdk/types.ts';
import type { Cli, SessionOptions } from '../cli.ts';
import { CommandFailure, checked, EXIT } from '../failure.ts';
import { shownFields } from '../history-entry.ts';
import { type Define, sessionLeaf } from '../leaf.ts';
import { toNumber } from '../parse.ts';
import { bold, dim, green, type Line, red, yellow } from '../terminal/line.ts';

interface Options extends SessionOptions {
  readonly after?: number;
  readonly limit?: number;
  readonly follow?: true;
}

const EXAMPLES = ['history', 'history --follow', 'history --json > checkout.ndjson'];

export const define: Define = (command, cli) =>
  sessionLeaf(command, EXAMPLES)
    .option('--after <seq>', 'only entries after this one', toNumber)
    .option('--limit <number>', 'maximum number of entries', toNumber)
    .option('-f, --follow', 'go on with what is done later, until the session ends')
    .action((options: Options) => printEntries(cli, options));

async function printEntries(cli: Cli, options: Options): Promise<void> {
  const { interrupt: signal } = cli.io;
  const { after, limit, follow } = options;
  checked(() => checkedHistory({ after, limit }));
  const session = await cli.session(options);
  try {
    for await (const entry of session.history({ after, limit, follow, signal })) {
      if (options.json) cli.out.json(entry);
      else cli.out.lines([cli.isForPerson(options) ? lineForPeople(entry) : lineOf(entry)]);
      await cli.out.drained();
    }
  } catch (error) {
    // Ctrl-C is the normal end of `--follow`: not a failure, and without a message.
    if (follow && signal.aborted) throw new CommandFailure({}, EXIT.interrupted);
    throw error;
  }
}

const outcomeOf = ({ status, durationMs }: HistoryEntry): string =>
  durationMs === undefined ? status : `${status} in ${durationMs} ms`;

function lineOf(entry: HistoryEntry): string {
  const { seq, acceptedAt, requestId, action, fields } = entry;
  return [seq, acceptedAt, requestId, action, shownFields(fields), outcomeOf(entry)]
    .filter((text) => text !== '')
    .join(' ');
}

const STYLES = { completed: green, pending: yellow, failed: red, cancelled: yellow, timed_out: red, unknown: yellow };

function lineForPeople(entry: HistoryEntry): Line {
  const { seq, acceptedAt, action, fields, status, by, error, lostBefore } = entry;
  const time = new Date(acceptedAt).toLocaleTimeString('en-GB');
  return [
    dim(String(seq).padStart(5)),
    '  ',
    dim(time),
    '  ',
    bold(action),
    ' ',
    shownFields(fields),
    '  ',
    (STYLES[status] ?? dim)(outcomeOf(entry)),
    dim(`  ${by.kind} ${by.transport}`),
    ...(error === undefined ? [] : ['  ', error.message]),
    ...(lostBefore === undefined ? [] : [red(`  ${lostBefore} before it are missing`)]),
  ];
}
