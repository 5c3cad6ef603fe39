import { LIMITS } from '../../../../protocol/limits.ts';
import { checkedListQuery } from '../../../sdk/arguments.ts';
import type { TokenRecord } from '../../../sdk/types.ts';
import { type Define, leaf } from '../../leaf.ts';
import { type ListOptions, listed, listLines, listOptions, toPageQuery } from '../../listing.ts';

const EXAMPLES = ['tokens list', 'tokens list --all --json'];

export const define: Define = (command, cli) =>
  listOptions(leaf(command, EXAMPLES), LIMITS.listed.max).action(async (options: ListOptions) => {
    const page = toPageQuery(options, checkedListQuery);
    const { tokens } = cli.cloud;
    const signal = cli.io.interrupt;
    const list = await listed(
      options,
      () => tokens.list({ ...page, signal }),
      () => tokens.all({ signal }),
    );
    const { items, ...rest } = list;
    cli.print(options, { tokens: items, ...rest }, listLines(list, lineOf, 'no programs'));
  });

function lineOf({ id, client, deviceName, createdAt, lastUsedAt }: TokenRecord): string {
  const name = deviceName === undefined ? client : `${client} on ${deviceName}`;
  return `${id}  ${name}  signed in ${createdAt}  ${lastUsedAt === undefined ? 'never used' : `last used ${lastUsedAt}`}`;
}
