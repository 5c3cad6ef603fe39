import type { Logger } from 'pino';
import type { Clock } from '../flow/clock.ts';
import { isStorageError } from '../flow/storage-errors.ts';
import type { LogIds } from './log-ids.ts';

/** Trouble with the storage meets every request that writes; a line in so many milliseconds tells as much as all of them. */
export const TROUBLE_LINE_MS = 10_000;

/** Where faults of ours are written down. */
export class FaultLog {
  readonly #logger: Pick<Logger, 'error'>;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  /** Trouble since the last line. */
  #untold = 0;

  constructor(logger: Pick<Logger, 'error'>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#logger = logger;
    this.#clock = clock;
  }

  /** @param about the ids of what failed */
  tell(error: unknown, about: LogIds = {}): void {
    if (!isStorageError(error)) return this.#logger.error({ ...about, err: error }, 'a request failed');
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#toldAtMs < TROUBLE_LINE_MS) {
      this.#untold += 1;
      return;
    }
    this.#logger.error({ ...about, err: error, more: this.#untold }, 'the storage is in trouble');
    this.#toldAtMs = nowMs;
    this.#untold = 0;
  }
}
