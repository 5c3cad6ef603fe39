import { checkedUrl } from '../../sdk/checked-url.ts';
import type { SessionOptions } from '../cli.ts';
import { cancelled, checked } from '../failure.ts';
import { FORCE } from '../interaction.ts';
import { type Define, sessionLeaf } from '../leaf.ts';
import { done } from '../terminal/line.ts';

/** A request that is on its way cannot be taken back. */
const MAY_HAPPEN = 'Interrupted; the URL may still be opened, and the session goes on.';

interface Options extends SessionOptions {
  readonly force?: boolean;
  readonly requestId?: string;
}

export const define: Define = (command, cli) =>
  sessionLeaf(command, ['open-url https://example.com/', 'open-url myapp://cart'])
    .argument('<url>', 'one absolute URI, used exactly as it is')
    .option('--request-id <id>', 'a repeated id is not performed again')
    .option(...FORCE)
    .action(async (url: string, { force, requestId, ...options }: Options) => {
      checked(() => checkedUrl(url));
      const session = await cli.session(options);
      const { interrupt: signal } = cli.io;
      const result = await session.openUrl(url, { signal, force, requestId }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        throw cancelled({ sessionId: session.id, platform: session.platform, action: 'open-url' }, MAY_HAPPEN);
      });
      cli.print(options, result, [`${result.url} opened on ${result.device}`], () => [done(`Opened ${result.url}`)]);
    });
