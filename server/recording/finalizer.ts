import type { RecordingFailureCode } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import { backoffMs, SLOW_BACKOFF as RETRY } from '../flow/backoff.ts';
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
import type { RemoteObjects } from './remote-objects.ts';

/** Interval of retries while the disk cannot store the object. */
const DISK_WAIT = { firstMs: RETRY.maxMs, factor: 1, maxMs: RETRY.maxMs } as const;

/** After this number of server crashes during its finalization a recording fails, since it would crash every start. */
export const RECOVERIES_MAX = 20;

/** Faults of empty captures: the reason why the capture ended is then reported instead. */
const EMPTY: readonly RecordingFailureCode[] = ['no_frames_captured'];

export interface FinalizerOptions {
  readonly log: RecordingLog;
  readonly writes: Pick<WriteRetryQueue, 'writeEventually'>;
  readonly finisher: Pick<RecordingFinisher, 'finish'>;
  readonly files: Pick<RecordingFiles, 'orderOf' | 'canFinish' | 'removeAll' | 'removeCapture'>;
  /** Where finished recordings go; absent where they stay on the disk. */
  readonly remote?: Pick<RemoteObjects, 'put' | 'clear' | 'isReachable'>;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Receives failures that have no caller. */
  readonly onFault: OnFault;
}

/** Finalizes recordings, with retries, until they are `ready`: whole, checked, and where they stay. */
export class Finalizer {
  readonly #options: FinalizerOptions;
  readonly #running = new Map<string, Promise<void>>();
  readonly #timers = new Map<string, () => void>();
  /** Cancel functions of the planned removals of files. */
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
   * Finalizes a recording that is `finalizing`; resolves when this try has ended, even if it failed. A second call joins it.
   * @param cause the fault that ended the capture, if any
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
    // If the clock was set back, the try must not be delayed by the difference.
    this.#later(
      id,
      Math.min(RETRY.maxMs, Math.max(0, dueMs - this.#options.clock.wallMs())),
      () => void this.#retry(id),
    );
  }

  /** Stops. Unfinished recordings are finalized after the next start. */
  close(): void {
    this.#closed = true;
    for (const cancelTimer of [...this.#timers.values(), ...this.#tidying]) cancelTimer();
    this.#timers.clear();
    this.#tidying.clear();
  }

  async #try(id: string): Promise<void> {
    const { log, finisher, files, remote, writes } = this.#options;
    try {
      // The recording may have changed while the database could not be written.
      const row = log.get(id);
      if (row?.status !== 'finalizing') return;
      const finished = await finisher.finish(files.orderOf(id), { sessionId: row.sessionId, recordingId: id });
      if (this.#closed) return;
      const objectKey = await remote?.put(id, finished);
      if (this.#closed) return;
      await writes.writeEventually(id, () => this.#succeed(id, finished, objectKey));
    } catch (error) {
      if (this.#closed) return;
      const fault = toFault(error, 'finalize', 'storage_error');
      if (!fault.retryable && fault.code !== 'no_frames_captured') this.#tellFault(id, error);
      await this.#fail(id, fault);
    }
    await this.#tidyEventually(id);
  }

  #succeed(
    id: string,
    { byteSize, sha256, durationMs, lostTailMs }: FinishedRecording,
    objectKey: string | undefined,
  ): void {
    const { log } = this.#options;
    const row = log.get(id);
    if (row?.status !== 'finalizing') return;
    const { startedAtMs = row.createdAtMs } = row;
    const { stoppedAtMs = startedAtMs + durationMs } = row;
    const file = { byteSize, sha256, durationMs, startedAtMs, stoppedAtMs, readyAtMs: log.nowMs, objectKey };
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
      // An internal error. The recording is still `finalizing` in the database, and the recovery resumes it.
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

  /** Plans the next try. Waiting for the disk does not count as a try, so that tries are left when the disk works again. */
  async #retry(id: string): Promise<void> {
    const { files, remote, writes } = this.#options;
    // The recording stays reserved while the disk is checked.
    this.#timers.set(id, () => undefined);
    const canFinish = (await files.canFinish(id)) && ((await remote?.isReachable()) ?? true);
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

  /** Removes files that no later try needs; retries while the disk fails, which is reported once. */
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

  /** Rejects if the record is not on disk yet, or a file cannot be removed. */
  async #tidy(id: string): Promise<void> {
    const { log, files, remote } = this.#options;
    const row = log.get(id);
    const isOver = row?.status === 'ready' || (row?.status === 'failed' && row.nextAttemptAtMs === undefined);
    if (!isOver) return;
    // After a power cut there must not be a record without its files.
    await log.flushed();
    if (row?.status === 'ready') {
      await files.removeCapture(id);
      if (row.objectKey !== undefined) await remote?.clear(row);
    }
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
