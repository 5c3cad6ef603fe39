import { checkedLink } from '../../../sdk/arguments.ts';
import type { CreateViewerLink } from '../../../sdk/types.ts';
import type { SessionOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { ageOf } from '../../terminal/age.ts';
import { note } from '../../terminal/note.ts';

type Options = SessionOptions & { readonly ttl?: string; readonly embedOrigin?: string };

const EXAMPLES = ['links create view', 'links create control --ttl 30m --json'];

export const define: Define = (command, cli) =>
  sessionLeaf(command, EXAMPLES)
    .argument('<role>', 'control, or view to only watch')
    .option('--ttl <duration>', 'how long it works; default: 1h')
    .option('--embed-origin <origin>', 'the origin of the page that may embed it')
    .action(async (role: string, { ttl, embedOrigin, ...options }: Options) => {
      const link = checked(() => checkedLink({ role, ttl, embedOrigin } as CreateViewerLink));
      const { id } = await cli.session(options);
      const created = await cli.cloud.sessions.links.create(id, link, { signal: cli.io.interrupt });
      const { url, expiresAt } = created;
      cli.print(options, { sessionId: id, ...created }, [url], (view) => [
        url,
        ...note(
          `Whoever has it may ${created.role === 'view' ? 'watch' : 'control'} the session; it expires ${ageOf(expiresAt, view.nowMs)}. It is not shown again. Revoke it with "runcloud links revoke ${created.id}".`,
          view,
        ),
      ]);
    });
