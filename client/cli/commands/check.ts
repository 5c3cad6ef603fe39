import { checkUiCheck } from '../../../protocol/ui-condition.ts';
import { type ConditionOptions, conditionOf, judged, lineOf, withCondition } from '../condition-options.ts';
import { CommandFailure, cancelled, EXIT } from '../failure.ts';
import { type Define, sessionLeaf } from '../leaf.ts';

const EXAMPLES = [
  'check --on Save --is enabled',
  'check --on "Dark mode" --is checked --not',
  'check --role cell --count 3',
];

export const define: Define = (command, cli) =>
  withCondition(sessionLeaf(command, EXAMPLES)).action(async (options: ConditionOptions) => {
    const condition = judged(checkUiCheck(conditionOf(options)), 'check');
    const session = await cli.session(options);
    const { interrupt: signal } = cli.io;
    try {
      const answer = await session.check(condition, { signal });
      if (options.json) cli.out.json(answer);
      else cli.out.lines([lineOf(answer)]);
      if (!answer.holds) throw new CommandFailure({}, EXIT.failed);
    } catch (error) {
      if (!signal.aborted) throw error;
      throw cancelled({ sessionId: session.id, platform: session.platform, action: 'ui.check' });
    }
  });
