import { checkedFileQuery } from '../../../sdk/device-files.ts';
import { checked } from '../../failure.ts';
import type { Define } from '../../leaf.ts';
import { isStandardOutput, OutputFile } from '../../output-file.ts';
import { sizeOf } from '../../progress.ts';
import { dim, done } from '../../terminal/line.ts';
import { type PlaceOptions, placeLeaf } from './place.ts';

type Options = PlaceOptions & { readonly output?: string; readonly force?: true };

export const define: Define = (command, cli) =>
  placeLeaf(command, ['files pull Download/report.pdf', 'files pull Documents/state.json --app com.example.shop -o -'])
    .argument('<path>', 'the file on the device')
    .option('-o, --output <file>', 'output file; - is standard output (default: the name that it has on the device)')
    .option('-f, --force', 'overwrite an existing file')
    .action(async (path: string, { app, ...options }: Options) => {
      checked(() => checkedFileQuery(path, app));
      const { interrupt: signal } = cli.io;
      const { output = path.slice(path.lastIndexOf('/') + 1), force } = options;
      const file = isStandardOutput(output) ? undefined : await OutputFile.at(output, { force, signal });
      const session = await cli.session(options);
      const bytes = await session.files.pull(path, { app, signal });
      await (file ? file.write([bytes]) : cli.out.bytes([bytes]));
      const result = { ok: true, path: file?.path ?? '-', byteSize: bytes.length };
      const lines = [`${result.path} (${sizeOf(bytes.length)})`];
      if (!file) return cli.printAside(options, result, lines);
      cli.print(options, result, lines, () => [done(`Saved ${result.path}`, dim(`  ${sizeOf(bytes.length)}`))]);
    });
