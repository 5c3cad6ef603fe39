import type { Command } from 'commander';
import { checkedId } from '../../../sdk/arguments.ts';
import type { Cli, OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { leaf } from '../../leaf.ts';
import { lineOf, shown } from './shown.ts';

export const deleteSession = (cli: Cli): Command =>
  leaf('delete', 'Release a session and its device', ['session delete', 'session delete ses_...'])
    .argument('[id]', 'the session (default: the last one)')
    .action(async (id: string | undefined, options: OutputOptions) => {
      if (id !== undefined) checked(() => checkedId('id', id));
      const session = await cli.session({ ...options, ...(id === undefined ? {} : { session: id }) });
      const record = await session.delete({ signal: cli.io.interrupt });
      await cli.lastSession.forget(session.id);
      cli.print(options, shown(record), [lineOf(record)]);
    });
