import type { MessagePort, Worker } from 'node:worker_threads';
import { throwUncaught } from '../flow/throw-uncaught.ts';
import type { Port } from './messages.ts';

/** Sent instead of a batch: tells the thread to end itself. */
const END = 'end';

/** Grace period for a thread to end itself before it is terminated. */
const GRACE_MS = 4_500;

export interface WorkerPortOptions {
  /** Called with an error that a listener throws; the thread is not affected. */
  readonly onFault?: (error: unknown) => void;
  /** Called with the error that ends the thread, for the log; callers only learn that it ended. */
  readonly onCrash?: (error: unknown) => void;
}

/**
 * The gateway's end of a connection to a worker thread. Closing it tells the thread to end itself between two jobs, because
 * terminating a thread inside a call of a native library can end the whole process.
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

/** Time limit of `beforeEnd`; the rest of the grace period is for the end itself. */
const BEFORE_END_MS_MAX = 4_000;
/** On a busy machine a picture takes seconds on threads that give way to all others, and nobody waits for a crash. */
const BEFORE_CRASH_MS_MAX = 10_000;

function endAfter(beforeEnd: () => Promise<void>, limitMs: number, end: () => void): void {
  setTimeout(end, limitMs);
  // From a timer, so that an error of `end` does not become an unhandled rejection.
  void beforeEnd().finally(() => setImmediate(end));
}

/** Runs a task before an uncaught exception ends the thread with the same exception. Call it once, in a thread. */
export function beforeCrash(beforeEnd: () => Promise<void>): void {
  process.once('uncaughtException', (error) => {
    endAfter(beforeEnd, BEFORE_CRASH_MS_MAX, () => {
      throw error;
    });
  });
}

/**
 * The host's end.
 * @param beforeEnd runs before the thread ends, within the grace period
 */
export function portToGateway<Out, In>(port: MessagePort, beforeEnd?: () => Promise<void>): Port<Out, In> {
  return {
    send: (batch, transfer) => port.postMessage(batch, transfer),
    onReceive(listener) {
      port.on('message', (message: readonly In[] | typeof END) => {
        if (message !== END) return listener(message);
        // In a worker this ends only the thread.
        const end = () => process.exit();
        if (beforeEnd) endAfter(beforeEnd, BEFORE_END_MS_MAX, end);
        else end();
      });
    },
    onClosed: (listener) => void port.on('close', () => listener('the gateway is gone')),
    close: async () => port.close(),
  };
}
