import type { Command } from 'commander';
import { checkedId } from '../../../sdk/arguments.ts';
import type { Cli, OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { leaf } from '../../leaf.ts';

export const deleteApp = (cli: Cli): Command =>
  leaf('delete', 'Delete an uploaded app', ['app delete ast_...'])
    .argument('<id>', 'the app')
    .action(async (id: string, options: OutputOptions) => {
      checked(() => checkedId('id', id));
      await cli.cloud.assets.delete(id, { signal: cli.io.interrupt });
      cli.print(options, { ok: true, id }, [`${id} deleted`]);
    });
