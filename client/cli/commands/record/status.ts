import { checkedId } from '../../../sdk/arguments.ts';
import type { RecordingEvent } from '../../../sdk/files.ts';
import type { SessionOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { ageOf } from '../../terminal/age.ts';
import { statusSpan } from '../../terminal/status.ts';
import { type Column, table } from '../../terminal/table.ts';
import { lineOf, recordingFacts } from './line.ts';

const EVENTS: readonly Column<RecordingEvent>[] = [
  { header: 'EVENT', cell: ({ type }) => type },
  { header: 'WHEN', cell: ({ at }, nowMs) => ageOf(at, nowMs) },
  { header: 'STATUS', cell: ({ status }) => statusSpan(status) },
  { header: 'DETAIL', cell: ({ detail }) => detail ?? '', min: 12 },
];

export const define: Define = (command, cli) =>
  sessionLeaf(command, ['record status rec_... --json'])
    .argument('<id>', 'the recording')
    .action(async (id: string, options: SessionOptions) => {
      checked(() => checkedId('id', id));
      const session = await cli.session(options);
      const recording = await session.recordings.get(id, { signal: cli.io.interrupt });
      const events = (recording.events ?? []).map(({ at, type, status }) => `  ${at}  ${type}  ${status}`);
      cli.print(options, recording, [lineOf(recording), ...events], (view) => [
        ...recordingFacts(recording, view),
        '',
        ...table(EVENTS, recording.events ?? [], view),
      ]);
    });
