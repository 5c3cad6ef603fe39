import { LIMITS } from '../../../../protocol/limits.ts';
import { checkedRecordingListQuery } from '../../../sdk/arguments.ts';
import type { RecordingRecord } from '../../../sdk/files.ts';
import type { SessionOptions } from '../../cli.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { type ListOptions, listed, listOptions, printList, toPageQuery } from '../../listing.ts';
import { sizeOf } from '../../progress.ts';
import { ageOf } from '../../terminal/age.ts';
import { statusSpan } from '../../terminal/status.ts';
import type { Column } from '../../terminal/table.ts';
import { lengthOf, lineOf } from './line.ts';

const COLUMNS: readonly Column<RecordingRecord>[] = [
  { header: 'ID', cell: ({ id }) => id },
  { header: 'STATUS', cell: ({ status }) => statusSpan(status) },
  { header: 'STARTED', cell: ({ createdAt }, nowMs) => ageOf(createdAt, nowMs) },
  { header: 'LENGTH', cell: ({ durationMs }) => lengthOf(durationMs) ?? '' },
  { header: 'SIZE', cell: ({ byteSize }) => (byteSize === undefined ? '' : sizeOf(byteSize)) },
  { header: 'FAILURE', cell: ({ failure }) => failure?.message ?? '', min: 12 },
];

const NONE = ['no recordings', 'No recordings. Start one with "runcloud record start".'] as const;

export const define: Define = (command, cli) =>
  listOptions(sessionLeaf(command, ['record list', 'record list --json']), LIMITS.recordingsListed.max).action(
    async (options: ListOptions & SessionOptions) => {
      const page = toPageQuery(options, checkedRecordingListQuery);
      const { recordings } = await cli.session(options);
      const signal = cli.io.interrupt;
      const list = await listed(
        options,
        () => recordings.list({ ...page, signal }),
        () => recordings.all({ signal }),
      );
      printList(cli, options, list, { name: 'recordings', lineOf, columns: COLUMNS, none: NONE });
    },
  );
