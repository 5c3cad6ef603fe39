import { LIMITS } from '../../../../protocol/limits.ts';
import { checkedListQuery } from '../../../sdk/arguments.ts';
import type { AssetSummary } from '../../../sdk/files.ts';
import { type Define, leaf } from '../../leaf.ts';
import { type ListOptions, listed, listOptions, printList, toPageQuery } from '../../listing.ts';
import { sizeOf } from '../../progress.ts';
import { ageOf } from '../../terminal/age.ts';
import type { Column } from '../../terminal/table.ts';
import { lineOf } from './line.ts';

const COLUMNS: readonly Column<AssetSummary>[] = [
  { header: 'ID', cell: ({ id }) => id },
  { header: 'NAME', cell: ({ name }) => name, min: 8 },
  { header: 'VERSION', cell: ({ version }) => version, min: 7 },
  { header: 'PLATFORM', cell: ({ platform }) => platform },
  { header: 'SIZE', cell: ({ byteSize }) => sizeOf(byteSize) },
  { header: 'UPLOADED', cell: ({ createdAt }, nowMs) => ageOf(createdAt, nowMs) },
  { header: 'IDENTIFIER', cell: ({ identifier }) => identifier, min: 12 },
];

const NONE = ['no apps', 'No apps. Upload one with "runcloud app upload FILE".'] as const;

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
      printList(cli, options, list, { name: 'assets', lineOf, columns: COLUMNS, none: NONE });
    },
  );
