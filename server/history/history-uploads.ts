import { mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '@runcloud/protocol/terms';
import { backoffMs, SLOW_BACKOFF } from '../flow/backoff.ts';
import type { Clock } from '../flow/clock.ts';
import type { SessionTable } from '../store/session-table.ts';
import type { History } from './history.ts';
import type { HistoryObjects } from './history-objects.ts';

/** How long after the end of a session nothing more is noted of it: what its device told last may be on the way. */
export const SETTLED_MS = 1_000;
/** How often there is a look for sessions whose end was written late. */
const LOOK_MS = 60_000;

export interface HistoryUploadsOptions {
  readonly sessions: Pick<SessionTable, 'historyToStore' | 'setHistory'>;
  readonly history: Pick<History, 'copy'>;
  readonly objects: Pick<HistoryObjects, 'put' | 'remove' | 'isReachable'>;
  /** Absolute path of a folder for the copies on their way. */
  readonly folder: string;
  /** Runs a task that writes, and resolves when that survives a power cut. */
  readonly commit: <T>(task: () => T) => Promise<T>;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly onFault: (error: unknown) => void;
}

/**
 * Stores the history of each session that has ended, for the edges. The record of the session says that it is stored: what was not when
 * the process was killed is found at the next start.
 */
export class HistoryUploads {
  readonly #options: HistoryUploadsOptions;
  #cancelTimer: () => void = () => undefined;
  #running = false;
  /** There is more to look for, soon. */
  #isAsked = false;
  /** Looks in a row in which something failed. */
  #failures = 0;
  #closed = false;

  constructor(options: HistoryUploadsOptions) {
    this.#options = options;
  }

  /** Goes on with what an earlier process has left. Throws the system's errors. */
  begin(): void {
    const { folder } = this.#options;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    this.ended();
  }

  /** A session has ended. */
  ended(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    if (!this.#running && this.#failures === 0) this.#later(SETTLED_MS);
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
  }

  #later(delayMs: number): void {
    if (this.#closed) return;
    this.#cancelTimer();
    this.#cancelTimer = this.#options.clock.schedule(delayMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    this.#running = true;
    this.#isAsked = false;
    const fault = await this.#storeAll();
    this.#running = false;
    if (this.#closed) return;
    if (fault === undefined) {
      this.#failures = 0;
      return this.#later(this.#isAsked ? SETTLED_MS : LOOK_MS);
    }
    // Told once, however long it lasts.
    if (this.#failures++ === 0) this.#options.onFault(fault);
    this.#later(backoffMs(SLOW_BACKOFF, this.#failures, this.#options.random));
  }

  /** Resolves with what has failed first. A session that fails keeps no other from it, but while the store is away. */
  async #storeAll(): Promise<unknown> {
    const { sessions, objects, clock } = this.#options;
    const nowMs = clock.wallMs();
    let place = { endedAtMs: Math.floor(nowMs - LIMITS.endedKeptMs), number: 0 };
    let fault: unknown;
    try {
      while (!this.#closed) {
        const next = sessions.historyToStore(place);
        if (!next) break;
        if (next.endedAtMs > nowMs - SETTLED_MS) {
          this.#isAsked = true;
          break;
        }
        place = next;
        try {
          await this.#store(next.id);
        } catch (error) {
          fault ??= error;
          if (!(await objects.isReachable())) return fault;
        }
      }
    } catch (error) {
      fault ??= error;
    }
    return fault;
  }

  async #store(id: string): Promise<void> {
    const { sessions, history, objects, folder, commit } = this.#options;
    const file = join(folder, `${id}.db`);
    try {
      const stored = await history.copy(id, file);
      await objects.put(id, file, stored);
      // Nobody else would delete that of a session which was forgotten meanwhile.
      if (!(await commit(() => sessions.setHistory(id, stored)))) await objects.remove(id);
    } finally {
      await rm(file, { force: true });
    }
  }
}
