import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import { checkedId } from '../../../sdk/arguments.ts';
import type { Cli, SessionOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { sessionLeaf } from '../../leaf.ts';
import { OutputFile } from '../../output-file.ts';
import { sizeOf, withProgress } from '../../progress.ts';

type Options = SessionOptions & { readonly output?: string; readonly force?: true };

const EXAMPLES = ['record download rec_... -o demo.mp4', 'record download rec_... -o - | ffprobe -'];

export const downloadRecording = (cli: Cli): Command =>
  sessionLeaf('download', 'Download a recording as MP4', EXAMPLES)
    .argument('<id>', 'the recording')
    .option('-o, --output <file>', 'where to; - is standard output; <id>.mp4 if absent')
    .option('-f, --force', 'overwrite a file that is there already')
    .action((id: string, options: Options) => download(cli, id, options));

async function download(cli: Cli, id: string, options: Options): Promise<void> {
  checked(() => checkedId('id', id));
  const { output = `${id.replace(/[^\w-]/g, '_')}.mp4`, force } = options;
  const file = output === '-' ? undefined : await OutputFile.at(output, { force });
  const session = await cli.session(options);
  const { stream, contentType, byteSize } = await session.recordings.stream(id, { signal: cli.io.interrupt });
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
  if (!file) return cli.out.bytes(chunks);
  await file.write(chunks);
  const { path } = file;
  const result = { ok: true, recordingId: id, path, byteSize: count, contentType, sha256: hash.digest('hex') };
  cli.print(options, result, [`${path} (${sizeOf(count)}, SHA-256 ${result.sha256})`]);
}
