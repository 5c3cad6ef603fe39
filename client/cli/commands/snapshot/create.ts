import { checkedSnapshotName } from '../../../sdk/arguments.ts';
import type { SessionOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { FORCE } from '../../interaction.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { done } from '../../terminal/line.ts';
import { note } from '../../terminal/note.ts';
import { lineOf } from './line.ts';

type Options = SessionOptions & { readonly force?: boolean };

export const define: Define = (command, cli) =>
  sessionLeaf(command, ['snapshot create signed-in'])
    .argument('<name>', 'its name')
    .option(...FORCE)
    .action(async (name: string, { force, ...options }: Options) => {
      checked(() => checkedSnapshotName(name));
      const session = await cli.session(options);
      const made = await session.snapshot(name, { signal: cli.io.interrupt, force });
      cli.print(options, made, [lineOf(made)], (view) => [
        done(`Kept the device as ${name}.`),
        ...note(`Start from it with "runcloud session create ${made.platform} --snapshot ${name}".`, view),
      ]);
    });
