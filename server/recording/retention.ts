import type { RecordingRow } from '../store/recording-row.ts';
import type { RecordingTable } from '../store/recording-table.ts';
import type { RecordingFiles } from './recording-files.ts';
import type { RecordingLog } from './recording-log.ts';
import type { RemoteObjects } from './remote-objects.ts';
import type { RetentionClock } from './retention-clock.ts';

/** Recordings per query; the event loop runs between queries. */
const BATCH = 100;
/** Minimum interval of writes of the trusted time. */
const SEEN_EVERY_MS = 3_600_000;

/** Objects of another kind in the object store, whose retention ends by the same clock. */
export interface OtherObjects {
  /** Those whose retention ended by `atMs`; at most `countMax`. */
  due(atMs: number, countMax: number): readonly { readonly id: string }[];
  /** Deletes an object, if it is there. */
  remove(id: string): Promise<void>;
  /** Keeps that an object was deleted. */
  deleted(id: string, atMs: number): Promise<void>;
}

export interface RetentionOptions {
  readonly store: Pick<RecordingTable, 'due' | 'unsettled' | 'clockSeenAtMs' | 'setClockSeenAtMs'>;
  readonly log: RecordingLog;
  readonly files: Pick<RecordingFiles, 'removeAll'>;
  /** Absent where recordings stay on the disk. */
  readonly remote?: Pick<RemoteObjects, 'remove'>;
  /** In the same object store. */
  readonly others: readonly OtherObjects[];
  readonly clock: Pick<RetentionClock, 'nowMs'>;
  readonly onFault: (error: unknown) => void;
  /** Called once for each period in which the clock is not trusted and nothing is deleted. */
  readonly onDoubt: () => void;
}

/** Deletes recordings at the end of their retention. Each step can be repeated: the record says how far it got. */
export class Retention {
  readonly #options: RetentionOptions;
  #sweeping: Promise<void> | undefined;
  #doubted = false;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Deletes due recordings. One sweep at a time; never rejects. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep()
      .catch(this.#options.onFault)
      .finally(() => {
        this.#sweeping = undefined;
      });
    return this.#sweeping;
  }

  async #sweep(): Promise<void> {
    const { store, log, clock, onDoubt } = this.#options;
    // Started deletions are finished, since they were decided with a trusted clock.
    for (const row of store.unsettled()) if (row.status === 'deleting') await this.#delete(row);
    const nowMs = clock.nowMs();
    if (nowMs === undefined) {
      if (!this.#doubted) onDoubt();
      this.#doubted = true;
      return;
    }
    this.#doubted = false;
    if (nowMs - (store.clockSeenAtMs() ?? 0) >= SEEN_EVERY_MS) store.setClockSeenAtMs(nowMs);
    for (let due = store.due(nowMs, BATCH); due.length > 0; due = store.due(nowMs, BATCH)) {
      for (const { id } of due) {
        const row = log.get(id);
        // A recording whose retry began after the query is deleted by the next sweep.
        if (row?.status !== 'ready' && row?.status !== 'failed') continue;
        await this.#delete(log.transition(row, 'deleting', {}, [{ type: 'retention_started' }]));
      }
    }
    for (const objects of this.#options.others) await this.#deleteOthers(objects, nowMs);
  }

  /** Several processes may do this at once: an object that is gone is deleted. */
  async #deleteOthers(objects: OtherObjects, nowMs: number): Promise<void> {
    for (const { id } of objects.due(nowMs, BATCH)) {
      try {
        await objects.remove(id);
        await objects.deleted(id, nowMs);
      } catch (error) {
        // The next sweep tries again.
        this.#options.onFault(error);
      }
    }
  }

  /** Deletes a recording that is `deleting`: first its files, then its status becomes `deleted`. */
  async #delete(row: RecordingRow): Promise<void> {
    const { log, files, remote, onFault } = this.#options;
    try {
      await log.flushed();
      await files.removeAll(row.id);
      // A failed one may have failed behind the upload.
      if (row.objectKey !== undefined || (remote && row.readyAtMs === undefined)) {
        if (!remote) throw new Error('the object store of a recording is not in the settings');
        await remote.remove(row.id);
      }
      log.transition(row, 'deleted', { deletedAtMs: log.nowMs }, [{ type: 'deleted' }]);
    } catch (error) {
      // It stays `deleting`, and the next sweep tries again.
      onFault(error);
    }
  }
}
