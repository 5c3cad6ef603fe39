import type { Command } from 'commander';
import { checkedId } from '../../../sdk/arguments.ts';
import type { Cli, OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { leaf } from '../../leaf.ts';

export const revokeToken = (cli: Cli): Command =>
  leaf('revoke', 'Sign a program out; what it opened is closed', ['tokens revoke tok_...'])
    .argument('<id>', 'the program, as "tokens list" names it')
    .action(async (id: string, options: OutputOptions) => {
      checked(() => checkedId('id', id));
      await cli.cloud.tokens.revoke(id, { signal: cli.io.interrupt });
      cli.print(options, { id, revoked: true }, [`${id} revoked`]);
    });
