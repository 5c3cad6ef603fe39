import type { Command } from 'commander';
import { checkedLink } from '../../../sdk/arguments.ts';
import type { CreateViewerLink } from '../../../sdk/types.ts';
import type { Cli, SessionOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { sessionLeaf } from '../../leaf.ts';

type Options = SessionOptions & { readonly ttl?: string; readonly embedOrigin?: string };

const EXAMPLES = ['links create view', 'links create control --ttl 30m --json'];

export const createLink = (cli: Cli): Command =>
  sessionLeaf('create', 'Make a link for others, and print it this once; keep it like a key', EXAMPLES)
    .argument('<role>', 'control, or view to only watch')
    .option('--ttl <duration>', 'how long it works; 1h if absent')
    .option('--embed-origin <origin>', 'the origin of the page that may embed it')
    .action(async (role: string, { ttl, embedOrigin, ...options }: Options) => {
      const link = checked(() => checkedLink({ role, ttl, embedOrigin } as CreateViewerLink));
      const { id } = await cli.session(options);
      const created = await cli.cloud.sessions.links.create(id, link, { signal: cli.io.interrupt });
      cli.print(options, { sessionId: id, ...created }, [created.url]);
    });
