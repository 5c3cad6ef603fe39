import type { Command } from 'commander';
import { checkedUrl } from '../../sdk/checked-url.ts';
import type { Cli, SessionOptions } from '../cli.ts';
import { checked } from '../failure.ts';
import { sessionLeaf } from '../leaf.ts';

export const openUrl = (cli: Cli): Command =>
  sessionLeaf('open-url', 'Open an HTTPS URL, or a deep link', [
    'open-url https://example.com/',
    'open-url myapp://cart',
  ])
    .argument('<url>', 'one absolute URI, used exactly as it is')
    .action(async (url: string, options: SessionOptions) => {
      checked(() => checkedUrl(url));
      const session = await cli.session(options);
      const result = await session.openUrl(url, { signal: cli.io.interrupt });
      cli.print(options, result, [`${result.url} opened on ${result.device}`]);
    });
