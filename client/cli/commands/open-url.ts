import type { Command } from 'commander';
import { checkedUrl } from '../../sdk/checked-url.ts';
import type { Cli, SessionOptions } from '../cli.ts';
import { cancelled, checked } from '../failure.ts';
import { sessionLeaf } from '../leaf.ts';

/** A request that is on its way cannot be taken back. */
const MAY_HAPPEN = 'Interrupted; the URL may still be opened, and the session goes on.';

export const openUrl = (cli: Cli): Command =>
  sessionLeaf('open-url', 'Open a web address or a deep link', [
    'open-url https://example.com/',
    'open-url myapp://cart',
  ])
    .argument('<url>', 'one absolute URI, used exactly as it is')
    .action(async (url: string, options: SessionOptions) => {
      checked(() => checkedUrl(url));
      const session = await cli.session(options);
      const { interrupt: signal } = cli.io;
      const result = await session.openUrl(url, { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        throw cancelled({ sessionId: session.id, platform: session.platform, action: 'open-url' }, MAY_HAPPEN);
      });
      cli.print(options, result, [`${result.url} opened on ${result.device}`]);
    });
