import { checkedSnapshotName } from '../../../sdk/arguments.ts';
import type { OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, leaf } from '../../leaf.ts';
import { done } from '../../terminal/line.ts';

export const define: Define = (command, cli) =>
  leaf(command, ['snapshot delete signed-in'])
    .argument('<name>', 'the snapshot')
    .action(async (name: string, options: OutputOptions) => {
      checked(() => checkedSnapshotName(name));
      await cli.cloud.snapshots.delete(name, { signal: cli.io.interrupt });
      cli.print(options, { ok: true, name }, [`${name} deleted`], () => [done(`Deleted ${name}.`)]);
    });
