import type { RecordingStatus } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { TimeoutError, withTimeout } from '../flow/timeout.ts';
import type { WriteRetryQueue } from '../flow/write-retry-queue.ts';
import { RecordingFault, type RecordingFaultFields } from '../link/recording-fault.ts';
import type { CaptureEnding, CaptureSummary, RecordingOrder } from '../link/recording-messages.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import type { DeviceRecording } from '../link/remote-recording.ts';
import type { OnFault } from '../observe/log-ids.ts';
import type { RecordingRow } from '../store/recording-row.ts';
import { isTransient, toFault, UNWRITTEN } from './failure.ts';
import type { Finalizer } from './finalizer.ts';
import type { RecordingFiles } from './recording-files.ts';
import type { LogStep, RecordingLog } from './recording-log.ts';

/** Maximum wait for the host to close the files; after that the files on disk are finished without it. */
const CAPTURE_STOP_MS_MAX = 10_000;

export interface ActiveRecordingOptions {
  readonly log: RecordingLog;
  readonly writes: Pick<WriteRetryQueue, 'writeEventually' | 'hasPending'>;
  readonly finalizer: Pick<Finalizer, 'finalize'>;
  readonly files: Pick<RecordingFiles, 'orderOf' | 'removeAll'>;
  readonly clock: Clock;
  /** Bounds of each recording; see `RecordingOrder`. */
  readonly bounds: Pick<RecordingOrder, 'maxDurationMs' | 'headroomBytes'>;
  readonly onFault: OnFault;
}

/** How a capture came to its end. */
interface Stopped {
  readonly fault?: RecordingFaultFields;
  readonly detail?: string;
  readonly stoppedAtMs?: number;
  readonly atMs: number;
}

const END_DETAIL: Readonly<Record<CaptureSummary['reason'], string | undefined>> = {
  stopped: undefined,
  limit: 'The longest recording was reached.',
  headroom: 'The disk was nearly full.',
};

/**
 * The capture of one recording, from the call to the host until the finalizer takes over its files. Changes on the device happen at
 * once; writing them to the database may have to wait for the storage and is retried.
 */
export class ActiveRecording {
  readonly #id: string;
  readonly #options: ActiveRecordingOptions;
  #device: DeviceRecording | undefined;
  /** Resolves when a failed start is written; absent if the capture has started. */
  #failing: Promise<void> | undefined;
  #ending: Promise<void> | undefined;
  #over: () => void = () => undefined;
  /** Resolves when the recording is `recording`, or its capture failed to start. */
  readonly begun: Promise<void>;
  /** Resolves when the device has stopped and everything is written, except the finalizer's changes. */
  readonly over: Promise<void>;

  /** @param id id of a recording that is `starting` */
  constructor(id: string, device: Pick<RemoteDevice, 'startRecording'>, options: ActiveRecordingOptions) {
    this.#id = id;
    const { onFault } = options;
    this.#options = { ...options, onFault: (error) => onFault(error, { recordingId: id }) };
    this.over = new Promise((resolve) => {
      this.#over = resolve;
    });
    this.begun = Promise.resolve().then(() => this.#begin(device));
  }

  /**
   * Ends the capture, after its start if necessary; resolves when the first try to finalize has ended. Later calls join the first.
   * Rejects if the end cannot be written at all.
   */
  end(why: string): Promise<void> {
    return this.#endBy(() => this.#stop(why));
  }

  #endBy(end: () => Promise<void>): Promise<void> {
    this.#ending ??= end().finally(this.#over);
    return this.#ending;
  }

  async #begin(device: Pick<RemoteDevice, 'startRecording'>): Promise<void> {
    const { log, files, clock, bounds, writes, onFault } = this.#options;
    const { partFile, journalFile } = files.orderOf(this.#id);
    const order = { partFile, journalFile, ...bounds };
    const listener = { ended: (ending: CaptureEnding) => void this.#endedByItself(ending) };
    const starting = device.startRecording(order, listener, { recordingId: this.#id });
    let begun: DeviceRecording | undefined;
    let wanted = true;
    try {
      begun = await withTimeout(LIMITS.recordingStartMsMax, clock, starting);
      const { startedAtMs, width, height } = begun;
      const step: LogStep = { type: 'capture_started', detail: `${width} × ${height} pixels`, atMs: log.nowMs };
      const written = this.#write('starting', (row) => {
        if (wanted) log.transition(row, 'recording', { startedAtMs: Math.floor(startedAtMs) }, [step]);
      });
      // One that cannot be written is given up: no screen is recorded without a record of it.
      await withTimeout(LIMITS.storeWaitMsMax, clock, written);
      this.#device = begun;
    } catch (error) {
      wanted = false;
      // The capture may still start, or run although its start could not be written.
      const abandoned = starting
        .then((late) => late.stop())
        .catch(() => undefined)
        .then(() => files.removeAll(this.#id))
        .catch(onFault);
      // The session's next start requires that the device has stopped.
      if (begun) await withTimeout(CAPTURE_STOP_MS_MAX, clock, abandoned).catch(() => undefined);
      this.#failing = this.#fail(error, begun !== undefined).finally(this.#over);
      if (!writes.hasPending(this.#id)) await this.#failing;
    }
  }

  async #fail(error: unknown, hadBegun: boolean): Promise<void> {
    const { log, onFault } = this.#options;
    if (!(error instanceof RecordingFault || error instanceof TimeoutError)) onFault(error);
    const unwritten = hadBegun && error instanceof TimeoutError;
    const { stage, code, message } = unwritten ? UNWRITTEN : toFault(error, 'prepare', 'capture_start_failed');
    const failure = { stage, code, message, retryable: false };
    // A start that is refused for now can be repeated as it was.
    const patch = { failure, ...(isTransient(failure) && { idempotencyKey: undefined }) };
    const step: LogStep = { type: 'failed', detail: `${code}: ${message}`, atMs: log.nowMs };
    await this.#write('starting', (row) => log.transition(row, 'failed', patch, [step])).catch(onFault);
  }

  async #stop(why: string): Promise<void> {
    const { log } = this.#options;
    await this.begun;
    const device = this.#device;
    if (!device) return this.#failing;
    const step: LogStep = { type: 'stop_requested', detail: why, atMs: log.nowMs };
    const moved = this.#write('recording', (row) => log.transition(row, 'finalizing', { tries: 1 }, [step]));
    // The device is stopped even if the record cannot be written.
    moved.catch(() => undefined);
    const stopped = await this.#stopDevice(device);
    await moved;
    await this.#noteStop(stopped);
    await this.#options.finalizer.finalize(this.#id, stopped.fault);
  }

  /** Returns a failure instead of throwing it, because the files on disk can be finished all the same. */
  async #stopDevice(device: DeviceRecording): Promise<Stopped> {
    const { clock, log } = this.#options;
    try {
      return summarized(await withTimeout(CAPTURE_STOP_MS_MAX, clock, device.stop()), log.nowMs);
    } catch (error) {
      return failed(toFault(error, 'capture', 'capture_interrupted'), log.nowMs);
    }
  }

  async #noteStop(stopped: Stopped): Promise<void> {
    const { log, onFault } = this.#options;
    const { patch, step } = told(stopped);
    // A failure to write this event must not fail the recording.
    await this.#write('finalizing', (row) => log.note(row, patch, [step])).catch(onFault);
  }

  /** The capture ended by itself: at a limit, or with its device. */
  async #endedByItself(ending: CaptureEnding): Promise<void> {
    await this.begun;
    if (this.#device && !this.#ending) await this.#endBy(() => this.#conclude(ending)).catch(this.#options.onFault);
  }

  async #conclude(ending: CaptureEnding): Promise<void> {
    const { log, finalizer } = this.#options;
    const { nowMs } = log;
    const stopped = 'fault' in ending ? failed(ending.fault, nowMs) : summarized(ending.summary, nowMs);
    const { patch, step } = told(stopped);
    await this.#write('recording', (row) => log.transition(row, 'finalizing', { tries: 1, ...patch }, [step]));
    await finalizer.finalize(this.#id, stopped.fault);
  }

  /** Writes a change, with retries, if the recording has this status. */
  #write(status: RecordingStatus, change: (row: RecordingRow) => void): Promise<void> {
    const { log, writes } = this.#options;
    return writes.writeEventually(this.#id, () => {
      const row = log.get(this.#id);
      if (row && row.status === status) change(row);
    });
  }
}

function summarized({ stoppedAtMs, reason }: CaptureSummary, atMs: number): Stopped {
  const detail = END_DETAIL[reason];
  return { stoppedAtMs: Math.floor(stoppedAtMs), atMs, ...(detail === undefined ? {} : { detail }) };
}

const failed = (fault: RecordingFaultFields, atMs: number): Stopped => {
  return { fault, detail: `${fault.code}: ${fault.message}`, atMs };
};

/** The fields and the event to write at the end of a capture. */
function told({ stoppedAtMs, detail, atMs }: Stopped) {
  const step: LogStep = { type: 'capture_stopped', atMs, ...(detail === undefined ? {} : { detail }) };
  return { patch: stoppedAtMs === undefined ? {} : { stoppedAtMs }, step };
}
