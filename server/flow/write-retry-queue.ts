import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import { type Backoff, backoffMs } from './backoff.ts';
import type { Clock } from './clock.ts';
import { isStorageError } from './storage-errors.ts';

/** Back-off of retries: short at first, since a lock is brief. */
const RETRY: Backoff = { firstMs: 50, factor: 2, maxMs: 2_000 };

export interface WriteRetryQueueOptions {
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Called once for each period in which the storage cannot be written. */
  readonly onFault: (error: unknown) => void;
}

interface Waiting {
  readonly id: string;
  /** Performs the write and settles its caller; throws a storage error. */
  readonly make: () => void;
  readonly reject: (error: ServiceError) => void;
  /** It has waited for longer than anybody waits for it. */
  isOverdue: boolean;
  cancelTimer: () => void;
}

/** Somebody who waits for more than a write. */
interface Watcher {
  readonly id: string;
  readonly leave: () => void;
}

/**
 * Writes that must not be lost, because they record something irreversible. Each is performed at once. While the storage fails,
 * they are queued in order and the first one is retried with back-off. All of a store's writes share one queue: a caller with
 * several of them waits once.
 */
export class WriteRetryQueue {
  readonly #options: WriteRetryQueueOptions;
  readonly #waiting: Waiting[] = [];
  readonly #watchers = new Set<Watcher>();
  #failures = 0;
  #cancelTimer: () => void = () => undefined;
  #closed = false;

  constructor(options: WriteRetryQueueOptions) {
    this.#options = options;
  }

  /** True if a write about this recording or session is pending, so that the store's row is out of date. */
  hasPending(id: string): boolean {
    return this.#waiting.some((waiting) => waiting.id === id);
  }

  /**
   * Performs a write about the recording or session, now or once the storage works. The write must check the state itself, which
   * may have changed by then. Rejects with a permanent error, or with `service_draining` if the server ends first.
   */
  writeEventually<T>(id: string, write: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new ServiceError('service_draining'));
      const make = () => {
        try {
          resolve(write());
        } catch (error) {
          if (isTransient(error)) throw error;
          reject(error);
        }
      };
      const waiting: Waiting = { id, make, reject, isOverdue: false, cancelTimer: () => undefined };
      // A caller has waited for long enough if what it waits behind has.
      const isBehindOverdue = this.#waiting[0]?.isOverdue ?? false;
      this.#waiting.push(waiting);
      if (this.#waiting.length === 1) this.flush();
      if (!this.#waiting.includes(waiting)) return;
      if (isBehindOverdue) this.#giveUpWaiting(waiting);
      else
        waiting.cancelTimer = this.#options.clock.schedule(LIMITS.storeWaitMsMax, () => this.#giveUpWaiting(waiting));
    });
  }

  #giveUpWaiting(waiting: Waiting): void {
    waiting.isOverdue = true;
    for (const watcher of this.#watchers) if (watcher.id === waiting.id) watcher.leave();
  }

  /**
   * Resolves when `work` has, or once a write about the recording or session has waited for `LIMITS.storeWaitMsMax`, also one
   * that the work makes: `hasPending` then tells, and the work goes on. Rejects as the work does.
   */
  unlessHeldUp(id: string, work: Promise<void>): Promise<void> {
    if (this.#waiting.some((waiting) => waiting.id === id && waiting.isOverdue)) {
      work.catch(() => undefined);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const watcher: Watcher = { id, leave: resolve };
      this.#watchers.add(watcher);
      work.then(resolve, reject).finally(() => this.#watchers.delete(watcher));
    });
  }

  /** Retries the pending writes now. Call it before a request that an out-of-date row would refuse. */
  flush(): void {
    for (let [first] = this.#waiting; first && !this.#closed; [first] = this.#waiting) {
      try {
        first.make();
      } catch (error) {
        return this.#later(error);
      }
      this.#failures = 0;
      this.#waiting.shift();
      first.cancelTimer();
    }
  }

  /** Makes what can be written now, stops, and rejects the other pending writes. */
  close(): void {
    this.flush();
    this.#closed = true;
    this.#cancelTimer();
    for (const { reject, cancelTimer } of this.#waiting.splice(0)) {
      cancelTimer();
      reject(new ServiceError('service_draining'));
    }
  }

  #later(error: unknown): void {
    const { clock, random, onFault } = this.#options;
    if (this.#failures === 0) onFault(error);
    this.#failures++;
    this.#cancelTimer();
    this.#cancelTimer = clock.schedule(backoffMs(RETRY, this.#failures, random), () => this.flush());
  }
}

/** Whether the same write may succeed later. */
const isTransient = (error: unknown): boolean =>
  isStorageError(error) || (error instanceof ServiceError && error.code === 'store_unavailable');
