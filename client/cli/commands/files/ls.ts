import { checkedFileQuery } from '../../../sdk/device-files.ts';
import type { FileEntry } from '../../../sdk/files.ts';
import { checked } from '../../failure.ts';
import type { Define } from '../../leaf.ts';
import { sizeOf } from '../../progress.ts';
import { dim, type Line } from '../../terminal/line.ts';
import { type PlaceOptions, placeLeaf } from './place.ts';

export const define: Define = (command, cli) =>
  placeLeaf(command, ['files ls', 'files ls Download', 'files ls Documents --app com.example.shop --json'])
    .argument('[path]', 'the folder (default: the root itself)')
    .action(async (path: string | undefined, { app, ...options }: PlaceOptions) => {
      checked(() => checkedFileQuery(path ?? '', app, true));
      const session = await cli.session(options);
      const list = await session.files.list(path, { app, signal: cli.io.interrupt });
      const { entries, truncated, unnamed = 0 } = list;
      const asides = [
        ...(truncated ? ['there are more'] : []),
        ...(unnamed > 0 ? [`${unnamed} with names that are no UTF-8 are left out`] : []),
      ];
      const plain = entries.map(({ name, kind, byteSize = '-' }) => `${kind}  ${byteSize}  ${name}`);
      cli.print(options, list, [...plain, ...asides], () => [
        ...(entries.length === 0 ? [[dim('No files.')]] : entries.map(lineOf)),
        ...asides.map((aside) => [dim(aside)]),
      ]);
    });

function lineOf({ name, kind, byteSize, modifiedAt = '' }: FileEntry): Line {
  const size = byteSize === undefined ? kind : sizeOf(byteSize);
  return [
    dim(`${size.padStart(10)}  ${modifiedAt.slice(0, 16).replace('T', ' ').padEnd(16)}  `),
    name,
    ...(kind === 'folder' ? ['/'] : []),
  ];
}
