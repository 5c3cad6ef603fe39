import { History } from '../history/history.ts';
import type { FromHistory, ToHistory } from '../history/messages.ts';
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
