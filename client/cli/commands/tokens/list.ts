import { LIMITS } from '../../../../protocol/limits.ts';
import { checkedListQuery } from '../../../sdk/arguments.ts';
import type { TokenRecord } from '../../../sdk/types.ts';
import { type Define, leaf } from '../../leaf.ts';
import { type ListOptions, listed, listOptions, printList, toPageQuery } from '../../listing.ts';
import { ageOf } from '../../terminal/age.ts';
import { dim } from '../../terminal/line.ts';
import type { Column } from '../../terminal/table.ts';

const EXAMPLES = ['tokens list', 'tokens list --all --json'];

const COLUMNS: readonly Column<TokenRecord>[] = [
  { header: 'ID', cell: ({ id }) => id },
  { header: 'SIGNED IN', cell: ({ createdAt }, nowMs) => ageOf(createdAt, nowMs) },
  { header: 'LAST USED', cell: ({ lastUsedAt }, nowMs) => (lastUsedAt ? ageOf(lastUsedAt, nowMs) : dim('never')) },
  { header: 'PROGRAM', cell: ({ client }) => client, min: 8 },
  { header: 'ON', cell: ({ deviceName }) => deviceName ?? '', min: 8 },
];

const NONE = ['no programs', 'No program is signed in. Sign this one in with "runcloud login".'] as const;

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
    printList(cli, options, list, { name: 'tokens', lineOf, columns: COLUMNS, none: NONE });
  });

function lineOf({ id, client, deviceName, createdAt, lastUsedAt }: TokenRecord): string {
  const name = deviceName === undefined ? client : `${client} on ${deviceName}`;
  return `${id}  ${name}  signed in ${createdAt}  ${lastUsedAt === undefined ? 'never used' : `last used ${lastUsedAt}`}`;
}
