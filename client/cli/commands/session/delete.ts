import { checkedId } from '../../../sdk/arguments.ts';
import type { OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, leaf } from '../../leaf.ts';
import { done } from '../../terminal/line.ts';
import { lineOf, shown } from './shown.ts';

export const define: Define = (command, cli) =>
  leaf(command, ['session delete', 'session delete ses_...'])
    .argument('[id]', 'the session (default: the last one)')
    .action(async (id: string | undefined, options: OutputOptions) => {
      if (id !== undefined) checked(() => checkedId('id', id));
      const session = await cli.session({ ...options, ...(id === undefined ? {} : { session: id }) });
      const record = await session.delete({ signal: cli.io.interrupt });
      await cli.lastSession.forget(session.id);
      cli.print(options, shown(record), [lineOf(record)], () => [done(`Released ${record.id}.`)]);
    });
