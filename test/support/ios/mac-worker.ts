import { parentPort, workerData } from 'node:worker_threads';
import { StandInMac } from './stand-in-mac.ts';

/** A stand-in of a Mac on a thread of its own: asked for a model's guest, it tells what is to be read off its screen. */
if (!parentPort) throw new Error('mac-worker.ts runs as a worker thread');
const port = parentPort;
const mac = await StandInMac.start(workerData);

port.on('message', ({ call, model }: { readonly call: number; readonly model?: string }) => {
  if (model === undefined) return void mac.close().then(() => process.exit());
  try {
    port.postMessage({ call, value: mac.guestOf(model).inspect() });
  } catch (error) {
    port.postMessage({ call, error: String(error) });
  }
});
port.postMessage({ call: 0, value: mac.tools });
