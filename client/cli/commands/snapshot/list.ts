import { LIMITS } from '../../../../protocol/limits.ts';
import { checkedListQuery } from '../../../sdk/arguments.ts';
import type { SnapshotRecord } from '../../../sdk/files.ts';
import { type Define, leaf } from '../../leaf.ts';
import { type ListOptions, listed, listOptions, printList, toPageQuery } from '../../listing.ts';
import { sizeOf } from '../../progress.ts';
import { ageOf } from '../../terminal/age.ts';
import type { Column } from '../../terminal/table.ts';
import { lineOf } from './line.ts';

const COLUMNS: readonly Column<SnapshotRecord>[] = [
  { header: 'NAME', cell: ({ name }) => name, min: 8 },
  { header: 'PLATFORM', cell: ({ platform }) => platform },
  { header: 'MODEL', cell: ({ model }) => model, min: 8 },
  { header: 'SIZE', cell: ({ byteSize }) => sizeOf(byteSize) },
  { header: 'MADE', cell: ({ createdAt }, nowMs) => ageOf(createdAt, nowMs) },
];

const NONE = ['no snapshots', 'No snapshots. Make one with "runcloud snapshot create NAME".'] as const;

export const define: Define = (command, cli) =>
  listOptions(leaf(command, ['snapshot list', 'snapshot list --json']), LIMITS.listed.max).action(
    async (options: ListOptions) => {
      const page = toPageQuery(options, checkedListQuery);
      const { snapshots } = cli.cloud;
      const signal = cli.io.interrupt;
      const list = await listed(
        options,
        () => snapshots.list({ ...page, signal }),
        () => snapshots.all({ signal }),
      );
      printList(cli, options, list, { name: 'snapshots', lineOf, columns: COLUMNS, none: NONE });
    },
  );
