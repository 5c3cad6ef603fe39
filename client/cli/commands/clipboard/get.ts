import type { SessionOptions } from '../../cli.ts';
import { cancelled } from '../../failure.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { dim } from '../../terminal/line.ts';

const MORE = 'This is the beginning: the clipboard holds more.';

export const define: Define = (command, cli) =>
  sessionLeaf(command, ['clipboard get', 'clipboard get > copied.txt']).action(async (options: SessionOptions) => {
    const session = await cli.session(options);
    const { interrupt: signal } = cli.io;
    const held = await session.clipboard.read({ signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      throw cancelled({ sessionId: session.id, platform: session.platform, action: 'clipboard.get' });
    });
    const { text, truncated } = held;
    if (options.json) return cli.out.json(held);
    if (truncated) cli.out.asideLines([MORE]);
    // A pipe gets the text itself, without a line feed of this program's.
    if (!cli.isForPerson(options)) return cli.out.bytes([Buffer.from(text)]);
    // Its lines are marked, so that none passes for one of this program's.
    const marked = text.split('\n').map((line) => [dim('│ '), line]);
    cli.out.lines(text === '' ? [dim('The clipboard holds no text.')] : marked);
  });
