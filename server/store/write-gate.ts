import { LIMITS } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { isStorageLocked } from '../flow/storage-errors.ts';
import { TimeoutError, withTimeout } from '../flow/timeout.ts';
import { unavailable } from './unavailable.ts';

/** How soon writers go on after the lock was given back. */
const PROBE_INTERVAL_MS = 20;

export interface WriteGateOptions {
  readonly clock: Clock;
  /** Whether somebody else holds the write lock; asked without waiting for it. */
  readonly isLocked: () => boolean;
  /** Told when the gate shuts and when it opens. */
  readonly onShut: (shut: boolean) => void;
}

/**
 * Where writers wait while another process holds the database's write lock. The first who finds it locked shuts the gate;
 * those who come after wait here, for a timer instead of for SQLite, which would hold up the whole thread for each of them.
 */
export class WriteGate {
  readonly #options: WriteGateOptions;
  /** Resolves when the gate opens; absent while it is open. */
  #opening: { readonly opened: Promise<void>; readonly open: () => void } | undefined;
  #takeBackProbe: () => void = () => undefined;

  constructor(options: WriteGateOptions) {
    this.#options = options;
  }

  get isShut(): boolean {
    return this.#opening !== undefined;
  }

  /**
   * Runs `task`, at once where the gate is open, and again when it found the database locked: it must have had no effect by
   * then. Rejects with `store_unavailable` when that lasts, and with what the task fails with.
   */
  async through<T>(task: () => T | Promise<T>): Promise<T> {
    const { clock } = this.#options;
    // From when it is first held up: a task may take long before it comes to its write.
    let deadlineMs: number | undefined;
    for (;;) {
      while (this.#opening) {
        deadlineMs ??= clock.monotonicMs() + LIMITS.storeWaitMsMax;
        await this.#pass(this.#opening.opened, deadlineMs);
      }
      try {
        return await task();
      } catch (error) {
        if (!isStorageLocked(error)) throw error;
        this.shut();
      }
    }
  }

  /** Somebody has found the database locked. */
  shut(): void {
    if (this.#opening) return;
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#opening = { opened, open };
    this.#options.onShut(true);
    this.#probeLater();
  }

  /** Lets everybody go on, whatever they find. */
  open(): void {
    this.#takeBackProbe();
    const opening = this.#opening;
    if (!opening) return;
    this.#opening = undefined;
    this.#options.onShut(false);
    opening.open();
  }

  async #pass(opened: Promise<void>, deadlineMs: number): Promise<void> {
    const { clock } = this.#options;
    const leftMs = deadlineMs - clock.monotonicMs();
    if (leftMs <= 0) throw unavailable();
    try {
      await withTimeout(leftMs, clock, opened);
    } catch (error) {
      throw error instanceof TimeoutError ? unavailable() : error;
    }
  }

  #probeLater(): void {
    const { clock, isLocked } = this.#options;
    this.#takeBackProbe = clock.schedule(PROBE_INTERVAL_MS, () => (isLocked() ? this.#probeLater() : this.open()));
  }
}
