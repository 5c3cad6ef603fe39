import { LIMITS } from '../../../../protocol/limits.ts';
import { checkedListQuery } from '../../../sdk/arguments.ts';
import { type Define, leaf } from '../../leaf.ts';
import { type ListOptions, listed, listLines, listOptions, toPageQuery } from '../../listing.ts';
import { lineOf } from './line.ts';

export const define: Define = (command, cli) =>
  listOptions(leaf(command, ['app list', 'app list --json']), LIMITS.listed.max).action(
    async (options: ListOptions) => {
      const page = toPageQuery(options, checkedListQuery);
      const { assets } = cli.cloud;
      const signal = cli.io.interrupt;
      const list = await listed(
        options,
        () => assets.list({ ...page, signal }),
        () => assets.all({ signal }),
      );
      const { items, ...rest } = list;
      cli.print(options, { assets: items, ...rest }, listLines(list, lineOf, 'no apps'));
    },
  );
