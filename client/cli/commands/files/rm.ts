import { checkedFileQuery } from '../../../sdk/device-files.ts';
import { checked } from '../../failure.ts';
import { FORCE } from '../../interaction.ts';
import type { Define } from '../../leaf.ts';
import { bold, done } from '../../terminal/line.ts';
import { type PlaceOptions, placeLeaf } from './place.ts';

type Options = PlaceOptions & { readonly force?: boolean };

export const define: Define = (command, cli) =>
  placeLeaf(command, ['files rm Download/report.pdf', 'files rm Documents/state.json --app com.example.shop'])
    .argument('<path>', 'a file, a link or an empty folder')
    .option(...FORCE)
    .action(async (path: string, { app, force, ...options }: Options) => {
      checked(() => checkedFileQuery(path, app));
      const session = await cli.session(options);
      const deleted = await session.files.delete(path, { app, force, signal: cli.io.interrupt });
      cli.print(options, deleted, [`deleted ${deleted.path}`], () => [done('Deleted ', bold(deleted.path))]);
    });
