import type { SessionHandle } from '../../sdk/session.ts';
import type { Cli, SessionOptions } from '../cli.ts';
import { CommandFailure, EXIT, invalidRequest } from '../failure.ts';
import { type Define, sessionLeaf } from '../leaf.ts';
import { toNumber } from '../parse.ts';
import { entriesFrom } from '../read-history.ts';
import { type Replayed, replayed } from '../replayed.ts';
import { bold, CROSS, dim, done } from '../terminal/line.ts';

interface Options extends SessionOptions {
  readonly speed: number;
  readonly settle?: true;
}

const EXAMPLES = [
  'replay checkout.ndjson',
  'replay ses_... --session ses_... --speed max',
  'history --json | runcloud replay - --session ses_...',
];

export const define: Define = (command, cli) =>
  sessionLeaf(command, EXAMPLES)
    .argument('<from>', 'a session, or a file that "history --json" wrote; - is standard input')
    .option('--speed <factor>', 'how many times as fast, or max: each once the one before has ended', toSpeed, 1)
    .option('--settle', 'wait before each until the picture stands still')
    .action((from: string, options: Options) => replay(cli, from, options));

function toSpeed(text: string): number {
  const speed = text === 'max' ? Number.POSITIVE_INFINITY : toNumber(text);
  if (speed > 0) return speed;
  throw invalidRequest('"--speed" must be a number above 0, or max.');
}

async function replay(cli: Cli, from: string, options: Options): Promise<void> {
  const { interrupt: signal } = cli.io;
  const { speed, settle = false } = options;
  const session = await cli.session(options);
  if (from === session.id) throw invalidRequest('A session cannot be replayed into itself.');
  const entries = await entriesFrom(cli, from);
  await session.connect({ signal });
  const startMs = performance.now();
  let count = 0;
  let differences = 0;
  for await (const one of replayed(session, entries, { speed, settles: settle }, signal)) {
    count++;
    if (one.difference !== undefined) differences++;
    print(cli, options, one, session);
  }
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
  const summary = `replayed ${count} inputs in ${seconds} s; ${differences} ended otherwise`;
  if (options.json) cli.out.json({ replayed: count, differences });
  else cli.out.lines([cli.isForPerson(options) && differences === 0 ? done(summary) : summary]);
  // Each difference was already printed.
  if (differences > 0) throw new CommandFailure({}, EXIT.failed);
}

/** Programs get a line for each input, people one for each difference. */
function print(cli: Cli, options: Options, { entry, difference, ...outcome }: Replayed, { id }: SessionHandle): void {
  const { seq, requestId, action } = entry;
  if (options.json)
    return cli.out.json({ sessionId: id, seq, requestId, action, ...outcome, ...(difference && { difference }) });
  if (difference === undefined) return;
  if (!cli.isForPerson(options)) return cli.out.lines([`${seq} ${requestId} ${action}: ${difference}`]);
  cli.out.lines([[CROSS, dim(` ${seq}  `), bold(action), ` ${difference}`]]);
}
