import { basename } from 'node:path';
import { LIMITS } from '../../../../protocol/limits.ts';
import { checkedFileQuery } from '../../../sdk/device-files.ts';
import { checked } from '../../failure.ts';
import { FORCE } from '../../interaction.ts';
import type { Define } from '../../leaf.ts';
import { sizeOf } from '../../progress.ts';
import { sourceFile } from '../../source-file.ts';
import { bold, dim, done } from '../../terminal/line.ts';
import { type PlaceOptions, placeLeaf } from './place.ts';

type Options = PlaceOptions & { readonly force?: boolean };

export const define: Define = (command, cli) =>
  placeLeaf(command, [
    'files push report.pdf Download/report.pdf',
    'files push state.json Documents/state.json --app com.example.shop',
  ])
    .argument('<file>', 'the file here, at most 64 MiB')
    .argument('[path]', 'where it is to be on the device (default: its name, in the root)')
    .option(...FORCE)
    .action(async (file: string, given: string | undefined, { app, force, ...options }: Options) => {
      const to = given ?? basename(file);
      checked(() => checkedFileQuery(to, app));
      const source = await sourceFile(cli, file, {
        ...options,
        bytesMin: 0,
        bytesMax: LIMITS.fileBytes,
        most: '64 MiB',
      });
      const session = await cli.session(options);
      const pushed = await session.files.push(to, source, {
        app,
        force,
        signal: cli.io.interrupt,
      });
      const { path, byteSize } = pushed;
      cli.print(options, pushed, [`${path} (${sizeOf(byteSize)})`], () => [
        done('The device has ', bold(path), dim(`  ${sizeOf(byteSize)}`)),
      ]);
    });
