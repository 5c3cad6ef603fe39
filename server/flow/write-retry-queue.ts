import { ServiceError } from '@runcloud/protocol/terms';
import { type Backoff, backoffMs } from './backoff.ts';
import type { Clock } from './clock.ts';
import { isStorageError } from './storage-errors.ts';

/** Storage that cannot be written is asked again this often: soon, because a lock is short, and never more than now and then. */
const RETRY: Backoff = { firstMs: 50, factor: 2, maxMs: 2_000 };

export interface WriteRetryQueueOptions {
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Told once of each time that storage cannot be written for a while. */
  readonly onFault: (error: unknown) => void;
}

interface Waiting {
  readonly id: string;
  /** Makes the write and tells its caller; throws when storage is in trouble. */
  readonly make: () => void;
  readonly reject: (error: ServiceError) => void;
}

/**
 * Writes that must not be lost, because they record something that cannot be undone. Each is made at once. While
 * storage fails, they wait in their order, and the first one is retried with growing pauses.
 */
export class WriteRetryQueue {
  readonly #options: WriteRetryQueueOptions;
  readonly #waiting: Waiting[] = [];
  #failures = 0;
  #cancelTimer: () => void = () => undefined;
  #closed = false;

  constructor(options: WriteRetryQueueOptions) {
    this.#options = options;
  }

  /** True when a write about this recording or session still waits, so that the store's row is out of date. */
  hasPending(id: string): boolean {
    return this.#waiting.some((waiting) => waiting.id === id);
  }

  /**
   * Makes a write about the recording or session, now or when storage can take it. What it looks at may have changed by then:
   * that is for the write to ask. Rejects with an error that no waiting mends, and with `service_draining` when the server ends first.
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
      this.#waiting.push({ id, make, reject });
      if (this.#waiting.length === 1) this.flush();
    });
  }

  /** Retries the waiting writes now. Call it before a request that an out-of-date row would refuse. */
  flush(): void {
    for (let [first] = this.#waiting; first && !this.#closed; [first] = this.#waiting) {
      try {
        first.make();
      } catch (error) {
        return this.#later(error);
      }
      this.#failures = 0;
      this.#waiting.shift();
    }
  }

  /** Stops writing and rejects all waiting writes. */
  close(): void {
    this.#closed = true;
    this.#cancelTimer();
    for (const { reject } of this.#waiting.splice(0)) reject(new ServiceError('service_draining'));
  }

  #later(error: unknown): void {
    const { clock, random, onFault } = this.#options;
    if (this.#failures === 0) onFault(error);
    this.#failures++;
    this.#cancelTimer();
    this.#cancelTimer = clock.schedule(backoffMs(RETRY, this.#failures, random), () => this.flush());
  }
}

/** The same write may succeed later. */
const isTransient = (error: unknown): boolean =>
  isStorageError(error) || (error instanceof ServiceError && error.code === 'store_unavailable');
