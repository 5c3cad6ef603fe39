import type { Command } from 'commander';
import { checkedId } from '../../../sdk/arguments.ts';
import type { Cli, OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { leaf } from '../../leaf.ts';

type Options = OutputOptions & { readonly minted?: boolean };

export const revokeKey = (cli: Cli): Command =>
  leaf('revoke', 'Revoke an API key; what it opened is closed', ['keys revoke key_...', 'keys revoke key_... --minted'])
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
      );
    });
