import { LIMITS } from '../../../../protocol/limits.ts';
import { checkedRecordingListQuery } from '../../../sdk/arguments.ts';
import type { SessionOptions } from '../../cli.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { type ListOptions, listed, listLines, listOptions, toPageQuery } from '../../listing.ts';
import { lineOf } from './line.ts';

export const define: Define = (command, cli) =>
  listOptions(sessionLeaf(command, ['record list', 'record list --json']), LIMITS.recordingsListed.max).action(
    async (options: ListOptions & SessionOptions) => {
      const page = toPageQuery(options, checkedRecordingListQuery);
      const { recordings } = await cli.session(options);
      const signal = cli.io.interrupt;
      const list = await listed(
        options,
        () => recordings.list({ ...page, signal }),
        () => recordings.all({ signal }),
      );
      const { items, ...rest } = list;
      cli.print(options, { recordings: items, ...rest }, listLines(list, lineOf, 'no recordings'));
    },
  );
