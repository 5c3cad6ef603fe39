import { checkedId } from '../../../sdk/arguments.ts';
import type { OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, leaf } from '../../leaf.ts';
import { done } from '../../terminal/line.ts';

export const define: Define = (command, cli) =>
  leaf(command, ['app delete ast_...'])
    .argument('<id>', 'the app')
    .action(async (id: string, options: OutputOptions) => {
      checked(() => checkedId('id', id));
      await cli.cloud.assets.delete(id, { signal: cli.io.interrupt });
      cli.print(options, { ok: true, id }, [`${id} deleted`], () => [done(`Deleted ${id}.`)]);
    });
