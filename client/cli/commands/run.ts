import { createInterface } from 'node:readline';
import { RunCloudError } from '../../sdk/error.ts';
import type { InteractionRequest } from '../../sdk/interactions.ts';
import type { SessionHandle } from '../../sdk/session.ts';
import type { Cli, SessionOptions } from '../cli.ts';
import { CommandFailure, cancelled, EXIT, invalidRequest } from '../failure.ts';
import { type Define, sessionLeaf } from '../leaf.ts';

const EXAMPLES = [`run - <<< '{"action":"tap","x":0.5,"y":0.5}'`, 'run - < requests.ndjson > acknowledgements.ndjson'];

/** Requests on their way at once. The service queues them; more would only wait here instead of in the pipe. */
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
  await session.connect({ signal });
  const atOnce = new Set<Promise<void>>();
  let allCompleted = true;
  const lines = createInterface({ input: stdin, terminal: false });
  signal.addEventListener('abort', () => lines.close());
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const one = answer(session, line, signal).then((acknowledgement) => {
      cli.out.json(acknowledgement);
      allCompleted &&= acknowledgement.ok === true;
      atOnce.delete(one);
    });
    atOnce.add(one);
    if (atOnce.size >= AT_ONCE_MAX) await Promise.race(atOnce);
  }
  await Promise.all(atOnce);
  if (signal.aborted) throw cancelled({ sessionId: session.id, platform: session.platform });
  // Each failure was already printed.
  if (!allCompleted) throw new CommandFailure({}, EXIT.failed);
}

type Answer = { readonly ok?: unknown; readonly [field: string]: unknown };

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
