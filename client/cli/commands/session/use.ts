import type { Command } from 'commander';
import { checkedId } from '../../../sdk/arguments.ts';
import type { Cli, OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { leaf } from '../../leaf.ts';
import { lineOf, shown } from './shown.ts';

export const useSession = (cli: Cli): Command =>
  leaf('use', 'Use a session for later commands', ['session use ses_...'])
    .argument('<id>', 'the session')
    .action(async (id: string, options: OutputOptions) => {
      checked(() => checkedId('id', id));
      const { record } = await cli.cloud.sessions.get(id, { signal: cli.io.interrupt });
      await cli.lastSession.write(record);
      cli.print(options, shown(record), [lineOf(record)]);
    });
