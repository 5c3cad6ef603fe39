import { checkedId } from '../../sdk/arguments.ts';
import type { OutputOptions } from '../cli.ts';
import { cancelled, checked } from '../failure.ts';
import { type Define, sessionLeaf } from '../leaf.ts';

interface Options extends OutputOptions {
  readonly session?: string;
}

export const define: Define = (command, cli) =>
  sessionLeaf(command, ['ui', 'ui ses_... --json'])
    .argument('[id]', 'the session, as with --session')
    .action(async (id: string | undefined, options: Options) => {
      if (id !== undefined) checked(() => checkedId('id', id));
      const session = await cli.session({ ...options, ...(id === undefined ? {} : { session: id }) });
      const { interrupt: signal } = cli.io;
      try {
        if (options.json) return cli.out.json(await session.ui({ signal }));
        cli.out.lines((await session.outline({ signal })).trimEnd().split('\n'));
      } catch (error) {
        if (!signal.aborted) throw error;
        throw cancelled({ sessionId: session.id, platform: session.platform, action: 'ui' });
      }
    });
