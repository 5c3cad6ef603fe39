import { checkedId } from '../../../sdk/arguments.ts';
import type { Cli, SessionOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { isStandardOutput, OutputFile } from '../../output-file.ts';
import { sizeOf } from '../../progress.ts';
import { dim, done } from '../../terminal/line.ts';
import { fileOf, lastOf } from './named.ts';

type Options = SessionOptions & { readonly output?: string; readonly force?: true };

export const define: Define = (command, cli) =>
  sessionLeaf(command, ['record poster', 'record poster rec_... -o demo.jpg'])
    .argument('[id]', "the recording (default: the session's last one)")
    .option('-o, --output <file>', 'output file; - is standard output (default: <id>.jpg)')
    .option('-f, --force', 'overwrite an existing file')
    .action((id: string | undefined, options: Options) => poster(cli, id, options));

async function poster(cli: Cli, named: string | undefined, options: Options): Promise<void> {
  if (named !== undefined) checked(() => checkedId('id', named));
  const { interrupt: signal } = cli.io;
  const { force } = options;
  const target = (output: string) => OutputFile.at(output, { force, signal });
  const toPipe = options.output !== undefined && isStandardOutput(options.output);
  // A file that must not be there is told of before anything is asked, where its name is known.
  const output = options.output ?? (named && fileOf(named, 'jpg'));
  const early = output === undefined || toPipe ? undefined : await target(output);
  const session = await cli.session(options);
  const id = named ?? (await lastOf(session, signal));
  const image = await session.recordings.poster(id, { signal });
  if (toPipe) return cli.out.bytes([image]);
  const file = early ?? (await target(fileOf(id, 'jpg')));
  await file.write([image]);
  const { path } = file;
  const result = { ok: true, recordingId: id, path, byteSize: image.length, contentType: 'image/jpeg' };
  cli.print(options, result, [`${path} (${sizeOf(image.length)})`], () => [
    done(`Saved ${path}`, dim(`  ${sizeOf(image.length)}`)),
  ]);
}
