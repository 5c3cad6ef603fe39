import { isUtf8 } from 'node:buffer';
import { characterCount } from '../../../../protocol/characters.ts';
import { checkedWrittenText } from '../../../sdk/arguments.ts';
import type { Cli, SessionOptions } from '../../cli.ts';
import { cancelled, checked, invalidRequest } from '../../failure.ts';
import { FORCE } from '../../interaction.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { done } from '../../terminal/line.ts';

/** The longest text is shorter; no more is read. */
const BYTES_MAX = 65_536;
/** A request that is on its way cannot be taken back. */
const MAY_HAPPEN = 'Interrupted; the text may still be written, and the session goes on.';

export const define: Define = (command, cli) =>
  sessionLeaf(command, ['clipboard set "Grüße 你好 😀"', 'clipboard set < text.txt'])
    .argument('[text]', '0 to 10,000 Unicode characters (default: standard input, exactly as it is)')
    .option(...FORCE)
    .action(async (given: string | undefined, { force, ...options }: SessionOptions & { readonly force?: boolean }) => {
      const text = given ?? (await read(cli));
      checked(() => checkedWrittenText(text));
      const session = await cli.session(options);
      const { interrupt: signal } = cli.io;
      const held = await session.clipboard.write(text, { signal, force }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        throw cancelled({ sessionId: session.id, platform: session.platform, action: 'clipboard.set' }, MAY_HAPPEN);
      });
      const count = characterCount(held.text);
      const counted = `${count} ${count === 1 ? 'character' : 'characters'}`;
      const isOther = held.text !== text || held.truncated === true;
      const told = `The clipboard holds ${isOther ? `another text than this one, of ${counted}` : counted}`;
      cli.print(options, held, [told], () => [isOther ? told : done(told)]);
    });

async function read({ io: { stdin, interrupt } }: Cli): Promise<string> {
  if ('isTTY' in stdin && stdin.isTTY) throw invalidRequest('Give the text, or lead it to standard input.');
  const stop = (): unknown => stdin.destroy();
  interrupt.addEventListener('abort', stop);
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of stdin) {
      parts.push(Buffer.from(part));
      bytes += part.length;
      if (bytes > BYTES_MAX) throw invalidRequest('Standard input is longer than 10,000 characters.');
    }
  } catch (error) {
    throw interrupt.aborted ? cancelled({}, 'Interrupted; nothing was written.') : error;
  } finally {
    interrupt.removeEventListener('abort', stop);
  }
  if (interrupt.aborted) throw cancelled({}, 'Interrupted; nothing was written.');
  const all = Buffer.concat(parts);
  if (!isUtf8(all)) throw invalidRequest('Standard input is no text in UTF-8.');
  return all.toString();
}
