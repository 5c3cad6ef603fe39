import { ServiceError } from '@runcloud/protocol/terms';
import { type Backoff, backoffMs } from './backoff.ts';
import type { Clock } from './clock.ts';
import { isStorageTrouble } from './storage-trouble.ts';

/** Storage that cannot be written is asked again this often: soon, because a lock is short, and never more than now and then. */
const RETRY: Backoff = { firstMs: 50, factor: 2, maxMs: 2_000 };

export interface PersistenceOptions {
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
export class Persistence {
  readonly #options: PersistenceOptions;
  readonly #waiting: Waiting[] = [];
  #failures = 0;
  #takeBack: () => void = () => undefined;
  #closed = false;

  constructor(options: PersistenceOptions) {
    this.#options = options;
  }

  /** True when a write about this recording or session still waits, so that the store's row is out of date. */
  isBehind(id: string): boolean {
    return this.#waiting.some((waiting) => waiting.id === id);
  }

  /**
   * Makes a write about the recording or session, now or when storage can take it. What it looks at may have changed by then:
   * that is for the write to ask. Rejects with an error that no waiting mends, and with `service_draining` when the server ends first.
   */
  insist<T>(id: string, write: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new ServiceError('service_draining'));
      const make = () => {
        try {
          resolve(write());
        } catch (error) {
          if (isPassing(error)) throw error;
          reject(error);
        }
      };
      this.#waiting.push({ id, make, reject });
      if (this.#waiting.length === 1) this.hurry();
    });
  }

  /** Retries the waiting writes now. Call it before a request that an out-of-date row would refuse. */
  hurry(): void {
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
    this.#takeBack();
    for (const { reject } of this.#waiting.splice(0)) reject(new ServiceError('service_draining'));
  }

  #later(error: unknown): void {
    const { clock, random, onFault } = this.#options;
    if (this.#failures === 0) onFault(error);
    this.#failures++;
    this.#takeBack();
    this.#takeBack = clock.schedule(backoffMs(RETRY, this.#failures, random), () => this.hurry());
  }
}

/** The same write may succeed later. */
const isPassing = (error: unknown): boolean =>
  isStorageTrouble(error) || (error instanceof ServiceError && error.code === 'store_unavailable');
