import type { Command } from 'commander';
import type { KeyRecord } from '../../../sdk/types.ts';
import type { Cli, OutputOptions } from '../../cli.ts';
import { leaf } from '../../leaf.ts';

export const listKeys = (cli: Cli): Command =>
  leaf('list', 'List API keys, newest first', ['keys list', 'keys list --json']).action(
    async (options: OutputOptions) => {
      const keys = await cli.cloud.keys.list({ signal: cli.io.interrupt });
      cli.print(options, { keys }, keys.length === 0 ? ['no keys'] : keys.map(lineOf));
    },
  );

function lineOf({ id, name, expiresAt, lastUsedAt }: KeyRecord): string {
  const ends = expiresAt === undefined ? 'does not expire' : `expires ${expiresAt}`;
  return `${id}  ${name}  ${ends}  ${lastUsedAt === undefined ? 'never used' : `last used ${lastUsedAt}`}`;
}
