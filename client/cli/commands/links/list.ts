import { LIMITS } from '../../../../protocol/limits.ts';
import { checkedListQuery } from '../../../sdk/arguments.ts';
import type { ViewerLink } from '../../../sdk/types.ts';
import type { SessionOptions } from '../../cli.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { type ListOptions, listed, listLines, listOptions, toPageQuery } from '../../listing.ts';

const EXAMPLES = ['links list', 'links list --all --json'];

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
      const { items, ...rest } = list;
      cli.print(options, { viewerLinks: items, ...rest }, listLines(list, lineOf, 'no links'));
    },
  );

function lineOf({ id, role, expiresAt, embedOrigin }: ViewerLink): string {
  const where = embedOrigin === undefined ? '' : `  in pages of ${embedOrigin}`;
  return `${id}  ${role}  expires ${expiresAt}${where}`;
}
