import type { Port } from '../link/messages.ts';
import { isLost, type LogKeeper } from './log-keeper.ts';
import type { LogOrder, LogReport } from './log-messages.ts';

/** How often the length of the log is looked at when nothing is to be put on disk. */
const LOOK_INTERVAL_MS = 1_000;

/** Serves the store's orders on its thread, until the store is gone or the disk has failed. */
export function serveLog(port: Port<LogReport, LogOrder>, keeper: Pick<LogKeeper, 'sync' | 'checkpoint'>): void {
  let failed = false;
  let heldUp = false;
  const report = (one: LogReport) => port.send([one], []);
  const fail = (error: unknown) => {
    failed = true;
    clearInterval(looking);
    report({ type: 'failed', reason: String(error) });
  };
  const look = () => {
    if (failed) return;
    try {
      keeper.checkpoint();
      heldUp = false;
    } catch (error) {
      if (isLost(error)) fail(error);
      else if (!heldUp) {
        heldUp = true;
        report({ type: 'held up', reason: String(error) });
      }
    }
  };
  const looking = setInterval(look, LOOK_INTERVAL_MS);
  looking.unref();
  port.onReceive((orders) => {
    for (const _order of orders) {
      if (failed) return;
      try {
        keeper.sync();
      } catch (error) {
        return fail(error);
      }
      report({ type: 'synced' });
    }
    // Answers the waiting callers before a checkpoint, which may take long.
    setImmediate(look);
  });
}
