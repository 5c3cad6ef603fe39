import type { MessagePort, Worker } from 'node:worker_threads';
import type { Port } from './messages.ts';

/** The gateway's end of a connection to a worker thread. Closing it ends the thread. */
export function portToWorker<Out, In>(worker: Worker): Port<Out, In> {
  return {
    send: (batch, transfer) => worker.postMessage(batch, transfer),
    onReceive: (listener) => void worker.on('message', listener),
    onClosed(listener) {
      let fault = '';
      worker.on('error', (error) => {
        fault = error.message;
      });
      worker.on('exit', (code) => listener(fault || `exit code ${code}`));
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
