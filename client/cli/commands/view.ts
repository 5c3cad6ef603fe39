import type { Cli, SessionOptions } from '../cli.ts';
import { type Define, sessionLeaf } from '../leaf.ts';

type Options = SessionOptions & { readonly open?: true };

const EXAMPLES = ['view', 'view --open'];

export const define: Define = (command, cli) =>
  sessionLeaf(command, EXAMPLES)
    .option('--open', 'open it in the browser')
    .action((options: Options) => show(cli, options));

async function show(cli: Cli, options: Options): Promise<void> {
  const session = await cli.session(options);
  const { url } = await session.read({ signal: cli.io.interrupt });
  if (options.open && !cli.open(url)) {
    cli.out.asideLines([`That address is not of ${cli.baseUrl}, so it is not opened for you.`]);
  }
  cli.print(options, { sessionId: session.id, url }, [url]);
}
