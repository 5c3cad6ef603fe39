import type { Command } from 'commander';
import { checkedId } from '../../../sdk/arguments.ts';
import type { Cli, OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { leaf } from '../../leaf.ts';

export const revokeKey = (cli: Cli): Command =>
  leaf('revoke', 'Revoke an API key; what it opened is closed', ['keys revoke key_...'])
    .argument('<id>', 'the key, as "keys list" names it')
    .action(async (id: string, options: OutputOptions) => {
      checked(() => checkedId('id', id));
      await cli.cloud.keys.revoke(id, { signal: cli.io.interrupt });
      cli.print(options, { id, revoked: true }, [`${id} revoked`]);
    });
