import { checkedId } from '../../../sdk/arguments.ts';
import type { OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, leaf } from '../../leaf.ts';
import { done } from '../../terminal/line.ts';

export const define: Define = (command, cli) =>
  leaf(command, ['tokens revoke tok_...'])
    .argument('<id>', 'the program, as "tokens list" names it')
    .action(async (id: string, options: OutputOptions) => {
      checked(() => checkedId('id', id));
      await cli.cloud.tokens.revoke(id, { signal: cli.io.interrupt });
      cli.print(options, { id, revoked: true }, [`${id} revoked`], () => [done(`Signed ${id} out.`)]);
    });
