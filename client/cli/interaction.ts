import type { Command } from 'commander';
import { checkedInteraction } from '../sdk/arguments.ts';
import type { Cli, SessionOptions } from './cli.ts';
import { cancelled, checked } from './failure.ts';
import { sessionLeaf } from './leaf.ts';
import { toMs } from './parse.ts';

export interface InteractionOptions extends SessionOptions {
  readonly timeout?: number;
  readonly requestId?: string;
}

/** A device that is told to stop answers at once; on a busy machine a person who pressed Ctrl-C waits for no longer. */
const CANCEL_MS_MAX = 3_000;

/** A command for one interaction. */
export const interactionLeaf = (name: string, summary: string, examples: readonly string[]): Command =>
  sessionLeaf(name, summary, examples)
    .option('--timeout <time>', 'milliseconds, or a duration such as 5s; 100ms to 60s, 15s if absent', toMs)
    .option('--request-id <id>', 'the same id again never has a second effect');

/** Checks a request as it was written, then carries it out and prints its acknowledgement. */
export async function interact(cli: Cli, request: object, options: InteractionOptions): Promise<void> {
  const { timeout: timeoutMs, requestId: given } = options;
  const body = checked(() => checkedInteraction({ ...request, timeoutMs, requestId: given }));
  const { requestId, action } = body;
  const session = await cli.session(options);
  const { interrupt } = cli.io;
  try {
    const acknowledgement = await session.interact(body, { signal: interrupt });
    const { durationMs } = acknowledgement;
    cli.print(options, acknowledgement, `${action} completed in ${durationMs} ms`);
  } catch (error) {
    if (!interrupt.aborted) throw error;
    await session.cancel(requestId, { signal: AbortSignal.timeout(CANCEL_MS_MAX) }).catch(() => undefined);
    throw cancelled({ requestId, sessionId: session.id, platform: session.platform, action });
  }
}
