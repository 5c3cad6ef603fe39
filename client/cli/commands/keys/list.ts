import { LIMITS } from '../../../../protocol/limits.ts';
import { checkedListQuery } from '../../../sdk/arguments.ts';
import type { KeyRecord } from '../../../sdk/types.ts';
import { type Define, leaf } from '../../leaf.ts';
import { type ListOptions, listed, listOptions, printList, toPageQuery } from '../../listing.ts';
import { ageOf } from '../../terminal/age.ts';
import { dim } from '../../terminal/line.ts';
import type { Column } from '../../terminal/table.ts';

const COLUMNS: readonly Column<KeyRecord>[] = [
  { header: 'ID', cell: ({ id }) => id },
  { header: 'NAME', cell: ({ name }) => name, min: 8 },
  { header: 'CREATED', cell: ({ createdAt }, nowMs) => ageOf(createdAt, nowMs) },
  { header: 'EXPIRES', cell: ({ expiresAt }, nowMs) => (expiresAt ? ageOf(expiresAt, nowMs) : dim('never')) },
  { header: 'LAST USED', cell: ({ lastUsedAt }, nowMs) => (lastUsedAt ? ageOf(lastUsedAt, nowMs) : dim('never')) },
];

const NONE = ['no keys', 'No API keys. Create one with "runcloud keys create NAME".'] as const;

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
      printList(cli, options, list, { name: 'keys', lineOf, columns: COLUMNS, none: NONE });
    },
  );

function lineOf({ id, name, expiresAt, lastUsedAt }: KeyRecord): string {
  const ends = expiresAt === undefined ? 'does not expire' : `expires ${expiresAt}`;
  return `${id}  ${name}  ${ends}  ${lastUsedAt === undefined ? 'never used' : `last used ${lastUsedAt}`}`;
}
