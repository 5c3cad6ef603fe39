import type { Command } from 'commander';
import { checkedLink } from '../../sdk/arguments.ts';
import type { CreateViewerLink } from '../../sdk/types.ts';
import type { Cli, SessionOptions } from '../cli.ts';
import { checked, invalidRequest } from '../failure.ts';
import { sessionLeaf } from '../leaf.ts';

type Options = SessionOptions & { readonly open?: true; readonly role?: string; readonly ttl?: string };

const EXAMPLES = ['view --open', 'view --role view --ttl 30m'];

export const view = (cli: Cli): Command =>
  sessionLeaf('view', "Print the viewer's link; whoever has it may use it, so keep it like a key", EXAMPLES)
    .option('--open', 'open it in the browser')
    .option('--role <role>', 'make another link: control, or view to only watch')
    .option('--ttl <duration>', 'how long that link works; 1h if absent')
    .action((options: Options) => show(cli, options));

async function show(cli: Cli, options: Options): Promise<void> {
  const { role, ttl, open: wanted } = options;
  if (role === undefined && ttl !== undefined) throw invalidRequest('--ttl is for a link with --role.');
  const link = { role, ...(ttl === undefined ? {} : { ttl }) } as CreateViewerLink;
  if (role !== undefined) checked(() => checkedLink(link));
  const session = await cli.session(options);
  const { interrupt: signal } = cli.io;
  const { url } =
    role === undefined
      ? await session.read({ signal })
      : await cli.cloud.sessions.links.create(session.id, link, { signal });
  if (wanted && !cli.open(url)) {
    cli.out.asideLines([`That address is not of ${cli.baseUrl}, so it is not opened for you.`]);
  }
  cli.print(options, { sessionId: session.id, url }, [url]);
}
