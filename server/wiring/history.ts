import { join } from 'node:path';
import { AwayHistories } from '../history/away-histories.ts';
import { History, type HistoryReads } from '../history/history.ts';
import { HistoryUploads } from '../history/history-uploads.ts';
import type { FromHistory, ToHistory } from '../history/messages.ts';
import type { FileBlock } from './files.ts';
import type { Foundation } from './foundation.ts';

export type HistoryBlock = ReturnType<typeof openHistory>;

/** Starts the thread that writes what is done in each session. */
export function openHistory({ settings, logger, clock, metrics, own, startThread }: Foundation): History {
  const history = new History({
    spawn: () => startThread<ToHistory, FromHistory>('history', 'history/boot.mjs', settings.dataDir),
    clock,
    onTrouble: (reason) => logger.error({ reason }, 'the history of sessions is in trouble'),
  });
  own(() => history.close());
  metrics.watchHistory(() => ({ isWriting: history.state === 'writing', lost: history.lostCount }));
  return history;
}

/** Where an edge reads histories: those of hosts that are away, in the object store. Any other service reads its own. */
export function openHistoryReads(
  { settings, hostRecords, onFault }: Foundation,
  { historyObjects: objects }: FileBlock,
  history: HistoryBlock,
): HistoryReads {
  if (!hostRecords || !objects) return history;
  return new AwayHistories({
    history,
    storedOf: hostRecords.histories.storedOf,
    objects,
    folder: join(settings.dataDir, 'histories'),
    headroomBytes: settings.diskHeadroom.startBytes,
    onFault,
  });
}

/** Stores the histories of a host's sessions, from now on and of those that have ended before. */
export function beginHistoryUploads(
  { settings, store, clock, signals, own, onFault }: Foundation,
  { historyObjects: objects }: FileBlock,
  history: HistoryBlock,
): void {
  if (settings.fleet?.role !== 'host' || !objects) return;
  const uploads = new HistoryUploads({
    sessions: store.sessions,
    history,
    objects,
    folder: join(settings.dataDir, 'histories'),
    commit: (task) => store.commit(task),
    clock,
    random: Math.random,
    onFault,
  });
  own(() => uploads.close());
  signals.on('sessionEnded', () => uploads.ended());
  uploads.begin();
}
