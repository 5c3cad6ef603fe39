import { LIMITS } from '../../../../protocol/limits.ts';
import type { SessionOptions } from '../../cli.ts';
import { FORCE } from '../../interaction.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { sourceFile } from '../../source-file.ts';
import { bold, done } from '../../terminal/line.ts';

export const define: Define = (command, cli) =>
  sessionLeaf(command, ['media add beach.jpg', 'media add clip.mp4 --json'])
    .argument('<file>', 'JPEG, PNG, GIF, WebP, HEIC, MP4 or MOV, at most 64 MiB')
    .option(...FORCE)
    .action(async (file: string, { force, ...options }: SessionOptions & { readonly force?: boolean }) => {
      const source = await sourceFile(cli, file, { ...options, bytesMax: LIMITS.mediaBytes, most: '64 MiB' });
      const session = await cli.session(options);
      const added = await session.media.add(source, { signal: cli.io.interrupt, force });
      const { name, mediaType, readBack } = added;
      const told = readBack ? 'The photo library has it' : 'The device took it for its photo library';
      cli.print(options, added, [`${name}  ${mediaType}`], () => [done(`${told}: `, bold(name))]);
    });
