import type { Command } from 'commander';
import { checkedId } from '../../../sdk/arguments.ts';
import type { Cli, OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { leaf } from '../../leaf.ts';
import { lineOf, shown } from './shown.ts';

export const getSession = (cli: Cli): Command =>
  leaf('get', 'Show a session, even after it has ended', ['session get', 'session get ses_... --json'])
    .argument('[id]', 'the session (default: the last one)')
    .action(async (id: string | undefined, options: OutputOptions) => {
      if (id !== undefined) checked(() => checkedId('id', id));
      const session = await cli.session({ ...options, ...(id === undefined ? {} : { session: id }) });
      const record = await session.read({ signal: cli.io.interrupt });
      cli.print(options, shown(record), [lineOf(record)]);
    });
