import { checkUiWait } from '../../../protocol/ui-condition.ts';
import type { UiWait } from '../../sdk/types.ts';
import { type ConditionOptions, conditionOf, judged, lineOf, withCondition } from '../condition-options.ts';
import { cancelled } from '../failure.ts';
import { type Define, sessionLeaf } from '../leaf.ts';
import { toMs } from '../parse.ts';

interface Options extends ConditionOptions {
  readonly idle?: true;
  readonly timeout?: number;
}

const EXAMPLES = ['wait --on Saved', 'wait --on Loading --not', 'wait --role textfield --value Milk', 'wait --idle'];

export const define: Define = (command, cli) =>
  withCondition(sessionLeaf(command, EXAMPLES))
    .option('--idle', 'the screen stands still, or 2 seconds have passed')
    .option('--timeout <time>', 'milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)', toMs)
    .action(async ({ idle, timeout: timeoutMs, ...options }: Options) => {
      const asked = {
        ...conditionOf(options),
        ...(idle ? { idle } : {}),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      };
      const { timeoutMs: _time, ...wait } = judged(checkUiWait(asked), 'wait');
      const session = await cli.session(options);
      const { interrupt: signal } = cli.io;
      try {
        const answer = await session.waitFor(wait as UiWait, { timeoutMs, signal });
        if (options.json) return cli.out.json(answer);
        cli.out.lines([lineOf(answer)]);
      } catch (error) {
        if (!signal.aborted) throw error;
        throw cancelled({ sessionId: session.id, platform: session.platform, action: 'ui.wait' });
      }
    });
