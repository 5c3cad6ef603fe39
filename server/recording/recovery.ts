import type { Clock } from '../flow/clock.ts';
import type { RecordingRow } from '../store/recording-row.ts';
import type { RecordingTable } from '../store/recording-table.ts';
import { type ActiveRecordings, INTERRUPTED } from './active-recordings.ts';
import { isDiskFailure } from './failure.ts';
import { type Finalizer, RECOVERIES_MAX } from './finalizer.ts';
import { isActive } from './lifecycle.ts';
import type { FoundFile, RecordingFiles } from './recording-files.ts';
import type { RecordingLog } from './recording-log.ts';
import type { RemoteObjects } from './remote-objects.ts';

export interface RecoveryOptions {
  readonly store: Pick<RecordingTable, 'unsettled' | 'get'>;
  readonly log: RecordingLog;
  readonly active: Pick<ActiveRecordings, 'isBusy'>;
  readonly finalizer: Pick<Finalizer, 'finalize' | 'retryAt' | 'isBusy'>;
  readonly files: Pick<RecordingFiles, 'found'>;
  /** Absent where recordings stay on the disk. */
  readonly remote?: Pick<RemoteObjects, 'clear'>;
  readonly clock: Pick<Clock, 'wallMs'>;
  /** How long a finished object without a record is kept, since the database may be restored from a backup. */
  readonly strayKeptMs: number;
  readonly onFault: (error: unknown) => void;
}

/** Resumes unfinished recordings: after a start, and after a time in which the database could not be written. */
export class Recovery {
  readonly #options: RecoveryOptions;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /**
   * Resumes every unfinished recording that is not in progress. The transitions are written when this returns; finalizing continues
   * in the background. Returns the number of unfinished recordings.
   */
  adopt(): number {
    const { store, active, finalizer, onFault } = this.#options;
    let unfinished = 0;
    for (const row of store.unsettled()) {
      if (active.isBusy(row.id) || finalizer.isBusy(row.id)) continue;
      if (isActive(row.status)) unfinished++;
      try {
        this.#adopt(row);
      } catch (error) {
        // A failed write must not stop the others.
        onFault(error);
      }
    }
    return unfinished;
  }

  /** Removes files without a record, left by a kill between a record's last change and the removal of its files. */
  async removeStrays(): Promise<void> {
    const { store, files, remote, onFault } = this.#options;
    for await (const file of files.found()) {
      try {
        const row = store.get(file.recordingId);
        if (this.#isStray(file, row)) await file.remove();
        // Its object was stored, and then the server was killed.
        else if (file.isObject && row?.objectKey !== undefined && row.status === 'ready') await remote?.clear(row);
      } catch (error) {
        onFault(error);
      }
    }
  }

  #adopt(row: RecordingRow): void {
    const { log, finalizer } = this.#options;
    const recoveries = row.recoveries + 1;
    const detail = `Nobody worked on this recording while it was ${row.status}.`;
    switch (row.status) {
      case 'starting': {
        // Its capture may have started: the files decide.
        const startedAtMs = row.createdAtMs;
        const begun = log.transition(row, 'recording', { startedAtMs, recoveries }, [{ type: 'recovered', detail }]);
        log.transition(begun, 'finalizing', { tries: 1 }, [{ type: 'capture_stopped' }]);
        return void finalizer.finalize(row.id, INTERRUPTED);
      }
      case 'recording':
        log.transition(row, 'finalizing', { tries: 1, recoveries }, [{ type: 'recovered', detail }]);
        return void finalizer.finalize(row.id, INTERRUPTED);
      case 'finalizing':
        if (recoveries > RECOVERIES_MAX) return this.#giveUp(row);
        log.note(row, { recoveries }, [{ type: 'recovered', detail }]);
        return void finalizer.finalize(row.id, INTERRUPTED);
      case 'failed':
        if (row.nextAttemptAtMs !== undefined) finalizer.retryAt(row.id, row.nextAttemptAtMs);
        return;
      default:
        // Half-deleted recordings are handled by the retention.
        return;
    }
  }

  #giveUp(row: RecordingRow): void {
    const message = `The server ended ${row.recoveries} times while this recording was finalized.`;
    const failure = { stage: 'finalize', code: 'container_invalid', message, retryable: false } as const;
    this.#options.log.transition(row, 'failed', { failure }, [{ type: 'failed', detail: message }]);
  }

  #isStray({ finished, modifiedAtMs }: FoundFile, row: RecordingRow | undefined): boolean {
    switch (row?.status) {
      case undefined:
        return !finished || this.#options.clock.wallMs() - modifiedAtMs > this.#options.strayKeptMs;
      case 'ready':
        return !finished;
      case 'failed':
        return row.nextAttemptAtMs === undefined && !(row.failure && isDiskFailure(row.failure));
      case 'deleted':
        return true;
      default:
        return false;
    }
  }
}
