import type { MessagePort, Worker } from 'node:worker_threads';
import { throwUncaught } from '../flow/throw-uncaught.ts';
import type { Port } from './messages.ts';

/** Sent in place of a batch: the thread is to end itself. */
const END = 'end';

/** How long a thread has to end itself. One that hangs is ended from outside. */
const GRACE_MS = 2_000;

export interface WorkerPortOptions {
  /** Told of what a listener throws, which is no fault of the thread's. */
  readonly onFault?: (error: unknown) => void;
  /** Told of the error that ends the thread: for the log, since callers hear no more than that it ended. */
  readonly onCrash?: (error: unknown) => void;
}

/**
 * The gateway's end of a connection to a worker thread. Closing it ends the thread: by itself, between two jobs, because
 * a thread that is terminated inside a native library's call can take the whole process along.
 */
export function portToWorker<Out, In>(
  worker: Worker,
  { onFault = throwUncaught, onCrash = () => undefined }: WorkerPortOptions = {},
): Port<Out, In> {
  const guarded =
    <T>(listener: (value: T) => void) =>
    (value: T) => {
      try {
        listener(value);
      } catch (error) {
        onFault(error);
      }
    };
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return {
    send: (batch, transfer) => worker.postMessage(batch, transfer),
    onReceive: (listener) => void worker.on('message', guarded(listener)),
    onClosed(listener) {
      worker.on('error', onCrash);
      worker.on(
        'exit',
        guarded((code: number) => listener(`exit code ${code}`)),
      );
    },
    async close() {
      worker.postMessage(END);
      const impatience = setTimeout(() => void worker.terminate(), GRACE_MS);
      await exited;
      clearTimeout(impatience);
    },
  };
}

/** Leaves the rest of the grace to the end itself. */
const BEFORE_END_MS_MAX = 1_500;

function endAfter(beforeEnd: () => Promise<void>, end: () => void): void {
  setTimeout(end, BEFORE_END_MS_MAX);
  // From a timer, so that what `end` throws is nobody's rejection.
  void beforeEnd().finally(() => setImmediate(end));
}

/** Lets a thread that an exception is to end do this before: it ends with the same exception then. Call it once, in a thread. */
export function beforeCrash(beforeEnd: () => Promise<void>): void {
  process.once('uncaughtException', (error) => {
    endAfter(beforeEnd, () => {
      throw error;
    });
  });
}

/**
 * The host's end.
 * @param beforeEnd what the thread has to see to before it ends; it is not waited for longer than its time
 */
export function portToGateway<Out, In>(port: MessagePort, beforeEnd?: () => Promise<void>): Port<Out, In> {
  return {
    send: (batch, transfer) => port.postMessage(batch, transfer),
    onReceive(listener) {
      port.on('message', (message: readonly In[] | typeof END) => {
        if (message !== END) return listener(message);
        // In a worker this ends the thread alone.
        const end = () => process.exit();
        if (beforeEnd) endAfter(beforeEnd, end);
        else end();
      });
    },
    onClosed: (listener) => void port.on('close', () => listener('the gateway is gone')),
    close: async () => port.close(),
  };
}
