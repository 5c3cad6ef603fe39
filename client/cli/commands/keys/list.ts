import { LIMITS } from '../../../../protocol/limits.ts';
import { checkedListQuery } from '../../../sdk/arguments.ts';
import type { KeyRecord } from '../../../sdk/types.ts';
import { type Define, leaf } from '../../leaf.ts';
import { type ListOptions, listed, listLines, listOptions, toPageQuery } from '../../listing.ts';

export const define: Define = (command, cli) =>
  listOptions(leaf(command, ['keys list', 'keys list --json']), LIMITS.listed.max).action(
    async (options: ListOptions) => {
      const page = toPageQuery(options, checkedListQuery);
      const { keys } = cli.cloud;
      const signal = cli.io.interrupt;
      const list = await listed(
        options,
        () => keys.list({ ...page, signal }),
        () => keys.all({ signal }),
      );
      const { items, ...rest } = list;
      cli.print(options, { keys: items, ...rest }, listLines(list, lineOf, 'no keys'));
    },
  );

function lineOf({ id, name, expiresAt, lastUsedAt }: KeyRecord): string {
  const ends = expiresAt === undefined ? 'does not expire' : `expires ${expiresAt}`;
  return `${id}  ${name}  ${ends}  ${lastUsedAt === undefined ? 'never used' : `last used ${lastUsedAt}`}`;
}
