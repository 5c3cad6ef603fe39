import type { Clock } from '../flow/clock.ts';
import { TimeoutError, withTimeout } from '../flow/timeout.ts';
import type { Port } from '../link/messages.ts';
import type { LogOrder, LogReport } from './log-messages.ts';
import { unavailable } from './unavailable.ts';

/** A disk that takes longer has stalled: whoever waits is told so, and may ask again. */
export const SYNC_MS_MAX = 10_000;

export interface DurableLogOptions {
  readonly port: Port<LogOrder, LogReport>;
  readonly clock: Clock;
  /** Told once when nothing can be promised any more. */
  readonly onFailed: (reason: string) => void;
  /** Told when the log grows because the database's file cannot be written. */
  readonly onHeldUp: (reason: string) => void;
}

/** All who wait for one fsync. */
interface Batch {
  /** How much had been written when it was last joined. */
  written: number;
  readonly synced: Promise<void>;
  readonly settle: { readonly resolve: () => void; readonly reject: (error: Error) => void };
}

/**
 * Tells when what was written survives a power cut. One fsync of the log runs at a time, on a thread of its own; all who
 * come meanwhile share the next one.
 *
 * A failed fsync is final: the system may forget what it could not write, and the next fsync would succeed without it. From
 * then on nothing is promised until a new process has written the log that it finds once more; see `rewriteLog`.
 */
export class DurableLog {
  readonly #options: DurableLogOptions;
  #running: Batch | undefined;
  #next: Batch | undefined;
  #synced = Number.NaN;
  #failure: string | undefined;
  #closed = false;

  constructor(options: DurableLogOptions) {
    this.#options = options;
    const { port, onHeldUp } = options;
    port.onReceive((reports) => {
      for (const report of reports) {
        if (report.type === 'synced') this.#end();
        else if (report.type === 'failed') this.#fail(report.reason);
        else onHeldUp(report.reason);
      }
    });
    port.onClosed((reason) => this.#fail(`the thread ended: ${reason}`));
  }

  /** Why nothing can be promised any more. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /**
   * Resolves when everything that was written before the call is on disk. Rejects with `store_unavailable` when that has
   * failed or takes too long.
   * @param written counts what has been written, and stays the same when nothing was
   * @param limitMs what takes too long
   */
  async durable(written: number, limitMs = SYNC_MS_MAX): Promise<void> {
    if (this.#failure !== undefined) throw unavailable();
    if (written === this.#synced) return;
    const batch = this.#running?.written === written ? this.#running : this.#join(written);
    try {
      await withTimeout(limitMs, this.#options.clock, batch.synced);
    } catch (error) {
      throw error instanceof TimeoutError ? unavailable() : error;
    }
  }

  /** Ends the thread. Who still waits is told that it was in vain. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#options.port.close();
  }

  #join(written: number): Batch {
    this.#next ??= newBatch(written);
    const batch = this.#next;
    batch.written = written;
    if (!this.#running) this.#begin();
    return batch;
  }

  #begin(): void {
    this.#running = this.#next;
    this.#next = undefined;
    if (this.#running) this.#options.port.send(['sync'], []);
  }

  #end(): void {
    const ended = this.#running;
    if (!ended) return;
    this.#synced = ended.written;
    ended.settle.resolve();
    this.#begin();
  }

  #fail(reason: string): void {
    if (this.#failure !== undefined) return;
    this.#failure = reason;
    for (const batch of [this.#running, this.#next]) batch?.settle.reject(unavailable());
    this.#running = undefined;
    this.#next = undefined;
    if (!this.#closed) this.#options.onFailed(reason);
  }
}

function newBatch(written: number): Batch {
  let settle: Batch['settle'] | undefined;
  const synced = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // A failure after all callers have stopped waiting is not an unhandled rejection.
  synced.catch(() => undefined);
  if (!settle) throw new Error('a promise runs its executor at once');
  return { written, synced, settle };
}
