import { createHash } from 'node:crypto';
import { checkedId } from '../../../sdk/arguments.ts';
import type { Cli, SessionOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { isStandardOutput, OutputFile } from '../../output-file.ts';
import { sizeOf, withProgress } from '../../progress.ts';
import { spooled } from '../../spool.ts';
import { dim, done } from '../../terminal/line.ts';
import { fileOf, lastOf } from './named.ts';

type Options = SessionOptions & { readonly output?: string; readonly force?: true };

const EXAMPLES = ['record download', 'record download rec_... -o demo.mp4', 'record download -o - | ffprobe -'];

export const define: Define = (command, cli) =>
  sessionLeaf(command, EXAMPLES)
    .argument('[id]', "the recording (default: the session's last one)")
    .option('-o, --output <file>', 'output file; - is standard output (default: <id>.mp4)')
    .option('-f, --force', 'overwrite an existing file')
    .action((id: string | undefined, options: Options) => download(cli, id, options));

async function download(cli: Cli, named: string | undefined, options: Options): Promise<void> {
  if (named !== undefined) checked(() => checkedId('id', named));
  const { interrupt: signal } = cli.io;
  const target = async (output: string) =>
    isStandardOutput(output) ? undefined : await OutputFile.at(output, { force: options.force, signal });
  // A file that must not be there is told of before anything is asked, where its name is known.
  const output = options.output ?? (named && fileOf(named, 'mp4'));
  const early = output === undefined ? undefined : await target(output);
  const session = await cli.session(options);
  const id = named ?? (await lastOf(session, signal));
  const file = output === undefined ? await target(fileOf(id, 'mp4')) : early;
  const { stream, contentType, byteSize } = await session.recordings.stream(id, { signal });
  const hash = createHash('sha256');
  let count = 0;
  const counted = async function* () {
    for await (const chunk of stream) {
      hash.update(chunk);
      count += chunk.length;
      yield chunk;
    }
  };
  const chunks = withProgress(cli, options, { label: id, byteSize }, counted());
  // Bytes written to a pipe cannot be withdrawn, so the whole file is downloaded and verified first.
  const passing = file === undefined || file.passesOn ? spooled(chunks) : chunks;
  await (file ? file.write(passing) : cli.out.bytes(passing));
  const { path } = file ?? { path: '-' };
  const result = { ok: true, recordingId: id, path, byteSize: count, contentType, sha256: hash.digest('hex') };
  const lines = [`${path} (${sizeOf(count)}, SHA-256 ${result.sha256})`];
  const saved = () => [done(`Saved ${path}`, dim(`  ${sizeOf(count)}, SHA-256 ${result.sha256}`))];
  if (file) cli.print(options, result, lines, saved);
  else cli.printAside(options, result, lines);
}
