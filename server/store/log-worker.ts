import { parentPort, workerData } from 'node:worker_threads';
import { portToGateway } from '../link/worker-port.ts';
import { LogKeeper } from './log-keeper.ts';
import type { LogOrder, LogReport } from './log-messages.ts';
import { serveLog } from './log-side.ts';

/** The thread that waits for the disk in the store's place. */
if (!parentPort) throw new Error('store/log-worker.ts runs as a worker thread');
const keeper = new LogKeeper(String(workerData));
const port = portToGateway<LogReport, LogOrder>(parentPort, async () => keeper.close());
serveLog(port, keeper);
