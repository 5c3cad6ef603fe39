import { checkedRequestId, checkedTimeoutMs } from '../../sdk/arguments.ts';
import { SCREENSHOT } from '../../sdk/operations.ts';
import type { Cli } from '../cli.ts';
import { checked } from '../failure.ts';
import { type InteractionOptions, inTime, interactionLeaf } from '../interaction.ts';
import type { Define } from '../leaf.ts';
import { isStandardOutput, OutputFile } from '../output-file.ts';
import { sizeOf } from '../progress.ts';
import { dim, done } from '../terminal/line.ts';

type Options = InteractionOptions & { readonly output: string; readonly force?: true; readonly settled?: true };

export const define: Define = (command, cli) =>
  interactionLeaf(command, ['screenshot -o home.png', 'screenshot -o - | file -'])
    .option('-o, --output <file>', 'output file; - is standard output', 'screenshot.png')
    .option('--settled', 'wait until the picture stands still, at most 2 seconds')
    .option('-f, --force', 'overwrite an existing file')
    .action((options: Options) => take(cli, options));

async function take(cli: Cli, options: Options): Promise<void> {
  const { output, force } = options;
  const timeoutMs = checked(() => checkedTimeoutMs(options.timeout));
  const requestId = checked(() => checkedRequestId(options.requestId));
  const { interrupt: signal } = cli.io;
  const file = isStandardOutput(output) ? undefined : await OutputFile.at(output, { force, signal });
  const about = { requestId, action: 'screenshot', timeoutMs };
  const { image, named } = await inTime(cli, options, { operation: SCREENSHOT, ...about }, async (session, signal) => ({
    image: await session.screenshot({ timeoutMs, requestId, signal, settled: options.settled }),
    named: { requestId, sessionId: session.id, platform: session.platform, action: 'screenshot' },
  }));
  if (!file) return cli.out.bytes([image]);
  await file.write([image]);
  const { path } = file;
  const result = { ok: true, ...named, path, byteSize: image.length, contentType: 'image/png' };
  cli.print(options, result, [`${path} (${sizeOf(image.length)})`], () => [
    done(`Saved ${path}`, dim(`  ${sizeOf(image.length)}`)),
  ]);
}
