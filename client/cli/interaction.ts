import type { Command } from 'commander';
import { OBSERVE_LIMITS } from '../../protocol/observe-limits.ts';
import { checkedInteraction } from '../sdk/arguments.ts';
import { Deadline } from '../sdk/deadline.ts';
import { type Operation, unanswered } from '../sdk/error.ts';
import { waitMsOf } from '../sdk/interactions.ts';
import type { Observed, UnknownReason } from '../sdk/observed.ts';
import { INTERACT } from '../sdk/operations.ts';
import type { SessionHandle } from '../sdk/session.ts';
import type { Cli, SessionOptions } from './cli.ts';
import { cancelled, checked } from './failure.ts';
import { sessionLeaf } from './leaf.ts';
import { toMs } from './parse.ts';
import { done } from './terminal/line.ts';

export interface InteractionOptions extends SessionOptions {
  readonly timeout?: number;
  readonly requestId?: string;
  readonly force?: boolean;
  readonly observe?: boolean;
}

/** Maximum wait after Ctrl-C; a cancelled device usually answers at once. */
const CANCEL_MS_MAX = 3_000;

/** What every command for one interaction has. */
export const interactionLeaf = (command: Command, examples: readonly string[], timeout = '15s'): Command =>
  sessionLeaf(command, examples)
    .option('--timeout <time>', `milliseconds, or a duration such as 5s; 100ms to 60s (default: ${timeout})`, toMs)
    .option('--request-id <id>', 'a repeated id is not performed again');

/** Of the commands that send input. */
export const FORCE = ['--force', 'act although somebody else has control'] as const;
export const OBSERVE = ['--observe', 'tell what it changed on the screen'] as const;

/** Checks a request as it was written, then carries it out and prints its acknowledgement. */
export async function interact(
  cli: Cli,
  request: object,
  options: InteractionOptions,
  tells?: (result: never) => readonly string[],
): Promise<void> {
  const { timeout: timeoutMs, requestId: given, force, observe } = options;
  const body = checked(() => checkedInteraction({ ...request, timeoutMs, requestId: given, observe }));
  const { requestId, action } = body;
  const acknowledgement = await inTime(
    cli,
    options,
    { operation: INTERACT, ...body, timeoutMs: waitMsOf(body) },
    async (session, signal) => {
      try {
        return await session.interact(body, { signal, force });
      } catch (error) {
        // A late request ends by its own timeout, but Ctrl-C must not wait for that.
        if (cli.io.interrupt.aborted) await letGo(session, requestId);
        throw error;
      }
    },
  );
  const seen = acknowledgement.observed ? linesOf(acknowledgement.observed) : [];
  if (tells) {
    const lines = [...tells(acknowledgement.result as never), ...seen];
    return cli.print(options, acknowledgement, lines, () => lines);
  }
  const line = `${action} completed in ${acknowledgement.durationMs} ms`;
  cli.print(options, acknowledgement, [line, ...seen], () => [done(line), ...seen]);
}

/** What was seen of the effect. */
function linesOf({ changed, unknown, firstPictureMs, settledMs, tree }: Observed): readonly string[] {
  if (changed === undefined) return [`whether it changed anything is not known: ${UNKNOWN[unknown ?? 'not_seen']}`];
  if (!changed) return [`nothing changed within ${OBSERVE_LIMITS.observedWithinMs} ms`];
  const end = settledMs === undefined ? 'and went on moving' : `and stood still after ${settledMs} ms`;
  return [
    `the screen changed after ${firstPictureMs} ms, ${end}`,
    ...(tree === undefined ? [] : tree.trimEnd().split('\n')),
  ];
}

const UNKNOWN: Readonly<Record<UnknownReason, string>> = {
  moves_by_itself: 'the screen moves by itself',
  next_input: 'another input came before',
  not_seen: 'the screen could not be seen',
  cancelled: 'the look at it was cancelled',
  session_ended: 'the session ended',
  timed_out: 'it took too long to see',
};

interface Timed {
  readonly operation: Operation;
  readonly requestId: string;
  readonly action: string;
  readonly timeoutMs: number;
}

/**
 * Runs a request within its timeout and the round trip, including the look-up of the session and a renewal of the sign-in. After
 * Ctrl-C it rejects with `cancelled`.
 */
export async function inTime<T>(
  cli: Cli,
  options: SessionOptions,
  { operation, requestId, action, timeoutMs }: Timed,
  ask: (session: SessionHandle, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { interrupt } = cli.io;
  const deadline = new Deadline(interrupt, timeoutMs + cli.bounds.graceMs);
  const about: { sessionId?: string; platform?: string } = {};
  try {
    const session = await cli.session(options, deadline.signal);
    Object.assign(about, { sessionId: session.id, platform: session.platform });
    return await ask(session, deadline.signal);
  } catch (error) {
    const named = { requestId, ...about, action };
    if (interrupt.aborted) throw cancelled(named);
    if (deadline.expired) throw unanswered(operation, 'timeout', 'The service did not answer in time.', named);
    throw error;
  } finally {
    deadline.end();
  }
}

const letGo = (session: SessionHandle, requestId: string): Promise<unknown> =>
  session.cancel(requestId, { signal: AbortSignal.timeout(CANCEL_MS_MAX) }).catch(() => undefined);
