import { parentPort } from 'node:worker_threads';
import type { ToWriter } from './writer-messages.ts';
import { WriterSide } from './writer-side.ts';

/** The writer thread's entry: waits for the disk, away from devices and from the thread pool that encodes. */
if (!parentPort) throw new Error('host/recording/writer-worker.ts runs as a worker thread');
const port = parentPort;
const side = new WriterSide();
port.on('message', (task: ToWriter) => {
  void side.answer(task).then((answer) => port.postMessage(answer));
});
