import { LIMITS } from '../../../../protocol/limits.ts';
import { checkedListQuery } from '../../../sdk/arguments.ts';
import type { ViewerLink } from '../../../sdk/types.ts';
import type { SessionOptions } from '../../cli.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { type ListOptions, listed, listOptions, printList, toPageQuery } from '../../listing.ts';
import { ageOf } from '../../terminal/age.ts';
import type { Column } from '../../terminal/table.ts';

const EXAMPLES = ['links list', 'links list --all --json'];

const COLUMNS: readonly Column<ViewerLink>[] = [
  { header: 'ID', cell: ({ id }) => id },
  { header: 'ROLE', cell: ({ role }) => role },
  { header: 'EXPIRES', cell: ({ expiresAt }, nowMs) => ageOf(expiresAt, nowMs) },
  { header: 'IN PAGES OF', cell: ({ embedOrigin }) => embedOrigin ?? '', min: 12 },
];

const NONE = ['no links', 'No links. Create one with "runcloud links create view".'] as const;

export const define: Define = (command, cli) =>
  listOptions(sessionLeaf(command, EXAMPLES), LIMITS.listed.max).action(
    async (options: ListOptions & SessionOptions) => {
      const page = toPageQuery(options, checkedListQuery);
      const { id } = await cli.session(options);
      const { links } = cli.cloud.sessions;
      const signal = cli.io.interrupt;
      const list = await listed(
        options,
        () => links.list(id, { ...page, signal }),
        () => links.all(id, { signal }),
      );
      printList(cli, options, list, { name: 'viewerLinks', lineOf, columns: COLUMNS, none: NONE });
    },
  );

function lineOf({ id, role, expiresAt, embedOrigin }: ViewerLink): string {
  const where = embedOrigin === undefined ? '' : `  in pages of ${embedOrigin}`;
  return `${id}  ${role}  expires ${expiresAt}${where}`;
}
