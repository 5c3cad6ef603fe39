import { createInterface } from 'node:readline';
import { RunCloudError } from '../../sdk/error.ts';
import type { InteractionRequest } from '../../sdk/interactions.ts';
import type { SessionHandle } from '../../sdk/session.ts';
import type { Cli, SessionOptions } from '../cli.ts';
import { CommandFailure, cancelled, EXIT, invalidRequest } from '../failure.ts';
import { type Define, sessionLeaf } from '../leaf.ts';
import { CROSS, dim, done, spansOf } from '../terminal/line.ts';

const EXAMPLES = [`run - <<< '{"action":"tap","x":0.5,"y":0.5}'`, 'run - < requests.ndjson > acknowledgements.ndjson'];

/** Requests that are not answered yet. The service queues them; more would only wait here instead of in the pipe. */
const AT_ONCE_MAX = 128;

export const define: Define = (command, cli) =>
  sessionLeaf(command, EXAMPLES)
    .argument('<->', 'standard input; each line gets one acknowledgement')
    .action(async (from: string, options: SessionOptions) => {
      if (from !== '-') throw invalidRequest('Requests are read from standard input: use "run -".');
      await runAll(cli, options);
    });

async function runAll(cli: Cli, options: SessionOptions): Promise<void> {
  const { stdin, interrupt: signal } = cli.io;
  const session = await cli.session(options);
  const control = await session.connect({ signal });
  control.on('disconnected', () => tellAside(cli, options, { event: 'disconnected' }, 'The connection was lost.'));
  control.on('reconnected', ({ resumed, awayMs }) => {
    const sentence = `Connected again after ${awayMs} ms${resumed ? ', where it was lost' : ''}.`;
    tellAside(cli, options, { event: 'connected', resumed, awayMs }, sentence);
  });
  // Each resolves when the answer to a line was printed, which is after the answers to the lines before it.
  const printed: Promise<void>[] = [];
  let allCompleted = true;
  let number = 0;
  const lines = createInterface({ input: stdin, terminal: false });
  signal.addEventListener('abort', () => lines.close());
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    const at = number;
    const asked = answer(session, line, signal);
    const before = printed.at(-1);
    const print = async (): Promise<void> => {
      const [answered] = await Promise.all([asked, before]);
      printAnswer(cli, options, at, answered);
      allCompleted &&= answered.ok === true;
    };
    printed.push(print());
    if (printed.length >= AT_ONCE_MAX) await printed.shift();
  }
  await Promise.all(printed);
  if (signal.aborted) throw cancelled({ sessionId: session.id, platform: session.platform });
  // Each failure was already printed.
  if (!allCompleted) throw new CommandFailure({}, EXIT.failed);
}

/** Beside the answers: why none comes for a while. */
function tellAside(cli: Cli, options: SessionOptions, event: object, sentence: string): void {
  cli.isForPerson(options) ? cli.out.asideLines([[dim(sentence)]]) : cli.out.asideJson(event);
}

/** The answer, with the number of its line. */
function printAnswer(cli: Cli, options: SessionOptions, line: number, answered: Answer): void {
  if (!cli.isForPerson(options)) return cli.out.json({ line, ...answered });
  const { ok, action, durationMs, error } = answered;
  const outcome = ok === true ? done(`${action} completed in ${durationMs} ms`) : [CROSS, ` ${error?.message}`];
  cli.out.lines([[dim(String(line).padStart(4)), '  ', ...spansOf(outcome)]]);
}

type Answer = Readonly<Record<string, unknown>> & { readonly error?: { readonly message?: unknown } };

/** The acknowledgement of one line, whatever becomes of it. */
async function answer(session: SessionHandle, line: string, signal: AbortSignal): Promise<Answer> {
  const about = { sessionId: session.id, platform: session.platform };
  let request: InteractionRequest;
  try {
    request = JSON.parse(line);
  } catch {
    return { ...invalidRequest('The line is not JSON.').envelope, ...about };
  }
  const { requestId, action } = (request ?? {}) as { readonly requestId?: unknown; readonly action?: unknown };
  try {
    return { ...(await session.interact(request, { signal })) };
  } catch (error) {
    if (error instanceof RunCloudError) return error.toJSON();
    const named = { ...about, requestId, action };
    if (error instanceof TypeError || error instanceof RangeError) {
      return { ...invalidRequest(error.message).envelope, ...named };
    }
    if (typeof requestId === 'string') session.control?.cancel(requestId);
    return cancelled(named).envelope;
  }
}
