import type { MessagePort, Worker } from 'node:worker_threads';
import type { Port } from './messages.ts';

/** The gateway's end of a connection to a worker thread. Closing it ends the thread. */
export function portToWorker<Out, In>(worker: Worker): Port<Out, In> {
  return {
    send: (batch, transfer) => worker.postMessage(batch, transfer),
    onReceive: (listener) => void worker.on('message', listener),
    onClosed(listener) {
      // Callers hear the reason; the words of the error are for the log.
      worker.on('error', (error) => {
        process.stderr.write(`${JSON.stringify({ level: 50, msg: 'host thread crashed', error: String(error) })}\n`);
      });
      worker.on('exit', (code) => listener(`exit code ${code}`));
    },
    close: () => void worker.terminate(),
  };
}

/** The host's end. */
export function portToGateway<Out, In>(port: MessagePort): Port<Out, In> {
  return {
    send: (batch, transfer) => port.postMessage(batch, transfer),
    onReceive: (listener) => void port.on('message', listener),
    onClosed: (listener) => void port.on('close', () => listener('the gateway is gone')),
    close: () => port.close(),
  };
}
