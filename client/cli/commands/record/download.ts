import { createHash } from 'node:crypto';
import { checkedId } from '../../../sdk/arguments.ts';
import type { Cli, SessionOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { isStandardOutput, OutputFile } from '../../output-file.ts';
import { sizeOf, withProgress } from '../../progress.ts';
import { spooled } from '../../spool.ts';

type Options = SessionOptions & { readonly output?: string; readonly force?: true };

const EXAMPLES = ['record download rec_... -o demo.mp4', 'record download rec_... -o - | ffprobe -'];

export const define: Define = (command, cli) =>
  sessionLeaf(command, EXAMPLES)
    .argument('<id>', 'the recording')
    .option('-o, --output <file>', 'output file; - is standard output (default: <id>.mp4)')
    .option('-f, --force', 'overwrite an existing file')
    .action((id: string, options: Options) => download(cli, id, options));

async function download(cli: Cli, id: string, options: Options): Promise<void> {
  checked(() => checkedId('id', id));
  const { output = `${id.replace(/[^\w-]/g, '_')}.mp4`, force } = options;
  const { interrupt: signal } = cli.io;
  const file = isStandardOutput(output) ? undefined : await OutputFile.at(output, { force, signal });
  const session = await cli.session(options);
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
  if (file) cli.print(options, result, lines);
  else cli.printAside(options, result, lines);
}
