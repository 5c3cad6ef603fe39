import type { RecordingFailureCode } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import { backoffMs } from '../flow/backoff.ts';
import type { Clock } from '../flow/clock.ts';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { WriteRetryQueue } from '../flow/write-retry-queue.ts';
import type { RecordingFaultFields } from '../link/recording-fault.ts';
import type { RecordingFinisher } from '../link/recording-finisher.ts';
import type { FinishedRecording } from '../link/recording-messages.ts';
import type { OnFault } from '../observe/log-ids.ts';
import type { RecordingRow } from '../store/recording-row.ts';
import { isDiskFailure, toFault } from './failure.ts';
import type { RecordingFiles } from './recording-files.ts';
import type { RecordingLog } from './recording-log.ts';

/** The tries of one recording lie within about three minutes: long enough for a disk to be cleaned, or a thread restarted. */
const RETRY = { firstMs: 2_000, factor: 4, maxMs: 120_000 } as const;
/** A disk that cannot take the object is asked again this often. */
const DISK_WAIT = { firstMs: RETRY.maxMs, factor: 1, maxMs: RETRY.maxMs } as const;

/** A recording whose finalization took the server down this often is given up: it would do so at every start. */
export const RECOVERIES_MAX = 20;

/** Faults that mean there is nothing to finish: what ended the capture is then the truer reason. */
const EMPTY: readonly RecordingFailureCode[] = ['no_frames_captured'];

export interface FinalizerOptions {
  readonly log: RecordingLog;
  readonly writes: Pick<WriteRetryQueue, 'writeEventually'>;
  readonly finisher: Pick<RecordingFinisher, 'finish'>;
  readonly files: Pick<RecordingFiles, 'orderOf' | 'canFinish' | 'removeAll' | 'removeCapture'>;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Receives failures that have no caller. */
  readonly onFault: OnFault;
}

/** Makes `ready` what is `finalizing`, however often that must be tried. */
export class Finalizer {
  readonly #options: FinalizerOptions;
  readonly #running = new Map<string, Promise<void>>();
  readonly #timers = new Map<string, () => void>();
  /** What cancels each planned removal of files. */
  readonly #tidying = new Set<() => void>();
  /** The faults that ended captures, by recording. */
  readonly #causes = new Map<string, RecordingFaultFields>();
  #closed = false;

  constructor(options: FinalizerOptions) {
    this.#options = options;
  }

  /** True when a try is running or planned. */
  isBusy(id: string): boolean {
    return this.#running.has(id) || this.#timers.has(id);
  }

  /** The running try; it never rejects. */
  running(id: string): Promise<void> | undefined {
    return this.#running.get(id);
  }

  /**
   * Finalizes a recording that is `finalizing`; resolves when this try has ended, whichever way. A second call joins it.
   * @param cause what ended the capture, where that was not wanted
   */
  finalize(id: string, cause?: RecordingFaultFields): Promise<void> {
    if (cause) this.#causes.set(id, cause);
    const running = this.#running.get(id);
    if (running !== undefined) return running;
    const trying = this.#try(id).finally(() => this.#running.delete(id));
    this.#running.set(id, trying);
    return trying;
  }

  /** Plans the next try of a recording that failed; `dueMs` is wall time, and may have passed. */
  retryAt(id: string, dueMs: number): void {
    // A clock that was set back must not put the try off for as long.
    this.#later(
      id,
      Math.min(RETRY.maxMs, Math.max(0, dueMs - this.#options.clock.wallMs())),
      () => void this.#retry(id),
    );
  }

  /** Plans nothing and writes nothing any more. What is unfinished stays so until the next start. */
  close(): void {
    this.#closed = true;
    for (const cancelTimer of [...this.#timers.values(), ...this.#tidying]) cancelTimer();
    this.#timers.clear();
    this.#tidying.clear();
  }

  async #try(id: string): Promise<void> {
    const { log, finisher, files, writes } = this.#options;
    try {
      // A try that was planned while the database could not be written may be one too many.
      const row = log.get(id);
      if (row?.status !== 'finalizing') return;
      const finished = await finisher.finish(files.orderOf(id), { sessionId: row.sessionId, recordingId: id });
      if (this.#closed) return;
      await writes.writeEventually(id, () => this.#succeed(id, finished));
    } catch (error) {
      if (this.#closed) return;
      const fault = toFault(error, 'finalize', 'storage_error');
      if (!fault.retryable && fault.code !== 'no_frames_captured') this.#tellFault(id, error);
      await this.#fail(id, fault);
    }
    await this.#tidyEventually(id);
  }

  #succeed(id: string, { byteSize, sha256, durationMs, lostTailMs }: FinishedRecording): void {
    const { log } = this.#options;
    const row = log.get(id);
    if (row?.status !== 'finalizing') return;
    const { startedAtMs = row.createdAtMs } = row;
    const { stoppedAtMs = startedAtMs + durationMs } = row;
    const file = { byteSize, sha256, durationMs, startedAtMs, stoppedAtMs, readyAtMs: log.nowMs };
    const lost = lostTailMs > 0 ? { detail: `The last ${lostTailMs} ms were lost.` } : {};
    log.transition(row, 'ready', { ...file, failure: undefined }, [
      { type: 'container_verified', status: 'finalizing', ...lost },
      { type: 'stored', status: 'finalizing' },
      { type: 'ready' },
    ]);
    this.#causes.delete(id);
  }

  async #fail(id: string, fault: RecordingFaultFields): Promise<void> {
    const { writes } = this.#options;
    try {
      await writes.writeEventually(id, () => this.#writeFailure(id, fault));
    } catch (error) {
      if (this.#closed) return;
      // A fault of ours. The recording is still `finalizing` in the database, and is taken up again from there.
      this.#tellFault(id, error);
      this.#later(id, RETRY.maxMs, () => void this.finalize(id));
    }
  }

  #writeFailure(id: string, fault: RecordingFaultFields): void {
    const { log, clock, random } = this.#options;
    const row = log.get(id);
    if (row?.status !== 'finalizing') return;
    const again = fault.retryable && row.tries < LIMITS.recordingFinalizeTries;
    const delayMs = backoffMs(RETRY, Math.max(1, row.tries), random);
    if (again) {
      const nextAttemptAtMs = Math.floor(clock.wallMs() + delayMs);
      log.transition(row, 'failed', { failure: pickFailure(fault, true), nextAttemptAtMs }, [
        { type: 'failed', detail: sentence(fault) },
        { type: 'retry_scheduled', detail: `Try ${row.tries + 1} follows at ${isoTimestamp(nextAttemptAtMs)}.` },
      ]);
      this.#later(id, delayMs, () => void this.#retry(id));
    } else {
      const final = (EMPTY.includes(fault.code) && this.#causes.get(id)) || fault;
      log.transition(row, 'failed', { failure: pickFailure(final, false) }, [
        { type: 'failed', detail: sentence(final) },
      ]);
      this.#causes.delete(id);
    }
  }

  /** The next try, or a later time for it: waiting for a disk is no try, so that the tries are left when it is mended. */
  async #retry(id: string): Promise<void> {
    const { files, writes } = this.#options;
    // While the disk is asked, it is still this one that has the recording.
    this.#timers.set(id, () => undefined);
    const canFinish = await files.canFinish(id);
    try {
      await writes.writeEventually(id, () => this.#takeUp(id, canFinish));
    } catch (error) {
      if (this.#closed) return;
      this.#tellFault(id, error);
      this.#later(id, RETRY.maxMs, () => void this.#retry(id));
    }
  }

  #takeUp(id: string, canFinish: boolean): void {
    const { log } = this.#options;
    const row = log.get(id);
    if (row?.status !== 'failed' || row.nextAttemptAtMs === undefined) return void this.#timers.delete(id);
    if (row.failure && isDiskFailure(row.failure) && !canFinish) return this.#putOff(row);
    const tries = row.tries + 1;
    const detail = `Try ${tries} of ${LIMITS.recordingFinalizeTries} began.`;
    log.transition(row, 'finalizing', { tries, failure: undefined }, [{ type: 'retry_scheduled', detail }]);
    this.#timers.delete(id);
    void this.finalize(id);
  }

  #putOff(row: RecordingRow): void {
    const { log, clock, random } = this.#options;
    const delayMs = backoffMs(DISK_WAIT, 1, random);
    log.note(row, { nextAttemptAtMs: Math.floor(clock.wallMs() + delayMs) }, []);
    this.#later(row.id, delayMs, () => void this.#retry(row.id));
  }

  /** Removes what no later try needs: again and again while the disk is in trouble, which is reported once. */
  async #tidyEventually(id: string, failures = 0): Promise<void> {
    const { clock, random } = this.#options;
    try {
      await this.#tidy(id);
    } catch (error) {
      if (this.#closed) return;
      if (failures === 0) this.#tellFault(id, error);
      const cancelTimer = clock.schedule(backoffMs(RETRY, failures + 1, random), () => {
        this.#tidying.delete(cancelTimer);
        void this.#tidyEventually(id, failures + 1);
      });
      this.#tidying.add(cancelTimer);
    }
  }

  /** Rejects while the record is not on disk, or a file cannot be removed. */
  async #tidy(id: string): Promise<void> {
    const { log, files } = this.#options;
    const row = log.get(id);
    const isOver = row?.status === 'ready' || (row?.status === 'failed' && row.nextAttemptAtMs === undefined);
    if (!isOver) return;
    // A power cut must not bring a record back whose files are gone.
    await log.flushed();
    if (row?.status === 'ready') await files.removeCapture(id);
    if (row?.status === 'failed' && row.nextAttemptAtMs === undefined && !(row.failure && isDiskFailure(row.failure))) {
      await files.removeAll(id);
    }
  }

  #tellFault(id: string, error: unknown): void {
    this.#options.onFault(error, { recordingId: id });
  }

  #later(id: string, delayMs: number, task: () => void): void {
    if (this.#closed) return;
    this.#timers.get(id)?.();
    const cancelTimer = this.#options.clock.schedule(delayMs, () => {
      this.#timers.delete(id);
      task();
    });
    this.#timers.set(id, cancelTimer);
  }
}

const sentence = ({ code, message }: RecordingFaultFields): string => `${code}: ${message}`;

function pickFailure(
  { stage, code, message }: RecordingFaultFields,
  retryable: boolean,
): NonNullable<RecordingRow['failure']> {
  return { stage, code, message, retryable };
}
