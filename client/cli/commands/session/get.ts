import { checkedId } from '../../../sdk/arguments.ts';
import type { OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, leaf } from '../../leaf.ts';
import { lineOf, sessionFacts, shown } from './shown.ts';

export const define: Define = (command, cli) =>
  leaf(command, ['session get', 'session get ses_... --json'])
    .argument('[id]', 'the session (default: the last one)')
    .action(async (id: string | undefined, options: OutputOptions) => {
      if (id !== undefined) checked(() => checkedId('id', id));
      const session = await cli.session({ ...options, ...(id === undefined ? {} : { session: id }) });
      const record = await session.read({ signal: cli.io.interrupt });
      cli.print(options, shown(record), [lineOf(record)], (view) => sessionFacts(record, view));
    });
