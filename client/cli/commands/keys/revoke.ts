import { checkedId } from '../../../sdk/arguments.ts';
import type { OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, leaf } from '../../leaf.ts';
import { done } from '../../terminal/line.ts';

type Options = OutputOptions & { readonly minted?: boolean };

export const define: Define = (command, cli) =>
  leaf(command, ['keys revoke key_...', 'keys revoke key_... --minted'])
    .argument('<id>', 'the key, as "keys list" names it')
    .option('--minted', 'also the keys created and the programs approved with it')
    .action(async (id: string, { minted: withMinted, ...options }: Options) => {
      checked(() => checkedId('id', id));
      const minted = await cli.cloud.keys.revoke(id, { minted: withMinted, signal: cli.io.interrupt });
      const outcome = { id, revoked: true, ...(withMinted ? { minted } : {}) };
      cli.print(
        options,
        outcome,
        [id, ...minted].map((one) => `${one} revoked`),
        () => [id, ...minted].map((one) => done(`Revoked ${one}.`)),
      );
    });
