import { checkedId } from '../../../sdk/arguments.ts';
import type { OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, leaf } from '../../leaf.ts';
import { bold, done } from '../../terminal/line.ts';
import { lineOf, sessionFacts, shown } from './shown.ts';

export const define: Define = (command, cli) =>
  leaf(command, ['session use ses_...'])
    .argument('<id>', 'the session')
    .action(async (id: string, options: OutputOptions) => {
      checked(() => checkedId('id', id));
      const { record } = await cli.cloud.sessions.get(id, { signal: cli.io.interrupt });
      await cli.lastSession.write(record);
      cli.print(options, shown(record), [lineOf(record)], (view) => [
        done('Later commands are for ', bold(record.id), '.'),
        ...sessionFacts(record, view).slice(1),
      ]);
    });
