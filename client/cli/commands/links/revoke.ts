import { checkedId } from '../../../sdk/arguments.ts';
import type { SessionOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { done } from '../../terminal/line.ts';

export const define: Define = (command, cli) =>
  sessionLeaf(command, ['links revoke lnk_...'])
    .argument('<id>', 'the link, as "links list" names it')
    .action(async (id: string, options: SessionOptions) => {
      checked(() => checkedId('id', id));
      const session = await cli.session(options);
      await cli.cloud.sessions.links.revoke(session.id, id, { signal: cli.io.interrupt });
      cli.print(options, { sessionId: session.id, id, revoked: true }, [`${id} revoked`], () => [
        done(`Revoked ${id}.`),
      ]);
    });
