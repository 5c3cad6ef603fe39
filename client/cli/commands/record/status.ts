import { checkedId } from '../../../sdk/arguments.ts';
import type { SessionOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { lineOf } from './line.ts';

export const define: Define = (command, cli) =>
  sessionLeaf(command, ['record status rec_... --json'])
    .argument('<id>', 'the recording')
    .action(async (id: string, options: SessionOptions) => {
      checked(() => checkedId('id', id));
      const session = await cli.session(options);
      const recording = await session.recordings.get(id, { signal: cli.io.interrupt });
      const events = (recording.events ?? []).map(({ at, type, status }) => `  ${at}  ${type}  ${status}`);
      cli.print(options, recording, [lineOf(recording), ...events]);
    });
