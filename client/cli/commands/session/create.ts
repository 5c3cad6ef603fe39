import { checkedSession } from '../../../sdk/arguments.ts';
import type { CreateSession } from '../../../sdk/types.ts';
import type { Cli, OutputOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, leaf } from '../../leaf.ts';
import { toList, toPairs } from '../../parse.ts';
import { bold, done } from '../../terminal/line.ts';
import { note } from '../../terminal/note.ts';
import { lineOf, sessionFacts, shown } from './shown.ts';

interface Options extends OutputOptions {
  readonly device?: string;
  readonly os?: string;
  readonly snapshot?: string;
  readonly orientation?: string;
  readonly inactivityTimeout?: string;
  readonly hardTimeout?: string;
  readonly app?: readonly string[];
  readonly embedOrigin?: readonly string[];
  readonly label?: Readonly<Record<string, string>>;
  readonly historyTexts?: string;
  readonly historyElements?: true;
}

const EXAMPLES = ['session create ios', 'session create android --inactivity-timeout 30m --label build=7'];

export const define: Define = (command, cli) =>
  leaf(command, EXAMPLES)
    .argument('<platform>', 'ios or android')
    .option('--device <model>', 'model of the device')
    .option('--os <version>', 'version of its operating system')
    .option('--snapshot <name>', 'snapshot that the device begins with')
    .option('--orientation <orientation>', 'initial orientation (default: portrait)')
    .option('--inactivity-timeout <duration>', 'end after this time without activity (default: 10m)')
    .option('--hard-timeout <duration>', 'end after this time even if active (default: 2h)')
    .option('--app <ids>', 'uploaded apps to install', toList)
    .option('--embed-origin <origins>', 'origins of pages that may embed the viewer', toList)
    .option('--label <name=value>', 'a label; can be repeated', toPairs)
    .option('--history-texts <what>', 'full keeps texts in the history, to replay them (default: length)')
    .option('--history-elements', 'keep in the history what is under each touch, for "flow capture"')
    .action((platform: string, options: Options) => create(cli, platform, options));

async function create(cli: Cli, platform: string, options: Options): Promise<void> {
  const request = checked(() =>
    checkedSession({
      platform,
      deviceModel: options.device,
      osVersion: options.os,
      snapshot: options.snapshot,
      orientation: options.orientation,
      inactivityTimeout: options.inactivityTimeout,
      hardTimeout: options.hardTimeout,
      installAssets: options.app,
      embedOrigins: options.embedOrigin,
      labels: options.label,
      historyTexts: options.historyTexts,
      historyElements: options.historyElements,
    } as unknown as CreateSession),
  );
  const { record } = await cli.cloud.sessions.create(request, { signal: cli.io.interrupt });
  await cli.lastSession.write(record);
  cli.print(options, shown(record), [lineOf(record)], (view) => [
    done('Created ', bold(record.id), '; later commands are for it.'),
    ...sessionFacts(record, view).slice(1),
    ...note('Watch it with "runcloud view --open".', view),
  ]);
}
