import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../flow/clock.ts';
import { yieldThread } from '../flow/thread-priority.ts';
import { portToGateway } from '../link/worker-port.ts';
import { databasePath } from '../store/database.ts';
import { historyPath } from './history-file.ts';
import { HistorySide } from './history-side.ts';
import { keptSessions } from './kept-sessions.ts';
import type { FromHistory, ToHistory } from './messages.ts';

/** The thread that writes and reads the histories; its data is the data directory. */
if (!parentPort) throw new Error('history/worker.ts runs as a worker thread');
// Nobody waits for what it writes, and a tap must not.
yieldThread();
const dataDir = String(workerData);
const isKept = keptSessions(databasePath(dataDir));
const port = portToGateway<FromHistory, ToHistory>(parentPort, async () => side.close());
const side = new HistorySide({ port, path: historyPath(dataDir), isKept, clock: systemClock });
