import { checkedId } from '../../../sdk/arguments.ts';
import type { ControlAnswer } from '../../../sdk/types.ts';
import type { Cli, SessionOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { controlLines, linesOf } from './lines.ts';

/** A command about your own control. */
export const asks =
  (step: 'request' | 'take' | 'release'): Define =>
  (command, cli) =>
    sessionLeaf(command, [`control ${step}`]).action(async (options: SessionOptions) => {
      const session = await cli.session(options);
      tell(cli, options, await session.controlLease[step]({ signal: cli.io.interrupt }));
    });

/** A command about one who waits for control. */
export const decides =
  (step: 'grant' | 'deny'): Define =>
  (command, cli) =>
    sessionLeaf(command, [`control ${step} prt_...`])
      .argument('<id>', 'who waits, as "control status" lists them')
      .action(async (id: string, options: SessionOptions) => {
        checked(() => checkedId('id', id));
        const session = await cli.session(options);
        tell(cli, options, await session.controlLease[step](id, { signal: cli.io.interrupt }));
      });

function tell(cli: Cli, options: SessionOptions, answer: ControlAnswer): void {
  const { control, participant } = answer;
  cli.print(options, answer, linesOf(control), (view) => controlLines(control, view, participant.id));
}
