import { LIMITS } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { TookTooLong, within } from '../flow/within.ts';
import { RecordingFault, type RecordingFaultFields } from '../link/recording-fault.ts';
import type { CaptureEnding, CaptureSummary, RecordingOrder } from '../link/recording-messages.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import type { DeviceRecording } from '../link/remote-recording.ts';
import type { RecordingRow } from '../store/recording-row.ts';
import { toFault } from './failure.ts';
import type { Finalizer } from './finalizer.ts';
import type { Ledger } from './ledger.ts';
import type { RecordingFiles } from './recording-files.ts';

/** A host that does not close the files by then is left alone: what is on disk is finished without it. */
const CAPTURE_STOP_MS_MAX = 10_000;

export interface CapturesOptions {
  readonly ledger: Ledger;
  readonly finalizer: Pick<Finalizer, 'finalize'>;
  readonly files: Pick<RecordingFiles, 'orderOf' | 'removeAll'>;
  readonly clock: Clock;
  /** Bounds of each recording; see `RecordingOrder`. */
  readonly bounds: Pick<RecordingOrder, 'maxDurationMs' | 'headroomBytes'>;
  readonly onFault: (error: unknown) => void;
}

interface Live {
  /** Resolves when the recording is `recording` or `failed`; never rejects. */
  readonly begun: Promise<void>;
  device: DeviceRecording | undefined;
}

const END_DETAIL: Readonly<Record<CaptureSummary['reason'], string | undefined>> = {
  stopped: undefined,
  limit: 'The longest recording was reached.',
  headroom: 'The disk was nearly full.',
};

/** The captures that run on devices now, from the question to the host until their files are left to the finalizer. */
export class Captures {
  readonly #options: CapturesOptions;
  readonly #live = new Map<string, Live>();
  readonly #endings = new Map<string, Promise<void>>();

  constructor(options: CapturesOptions) {
    this.#options = options;
  }

  isBusy(id: string): boolean {
    return this.#live.has(id) || this.#endings.has(id);
  }

  /** Resolves when the recording has left `starting`. */
  begun(id: string): Promise<void> | undefined {
    return this.#live.get(id)?.begun;
  }

  /** Begins the capture of a recording that is `starting`; resolves when it is `recording` or `failed`. Never rejects. */
  begin({ id }: RecordingRow, device: Pick<RemoteDevice, 'startRecording'>): Promise<void> {
    const live: Live = { begun: Promise.resolve().then(() => this.#begin(id, live, device)), device: undefined };
    this.#live.set(id, live);
    return live.begun;
  }

  /**
   * Ends a capture, waiting for it to begin if it must; resolves when the first try to finalize has ended. Whoever else
   * wants it to end joins. Rejects when the end could not be written.
   */
  end(id: string, why: string): Promise<void> {
    return this.#endings.get(id) ?? this.#ending(id, () => this.#end(id, why));
  }

  #ending(id: string, end: () => Promise<void>): Promise<void> {
    const ending = end().finally(() => {
      this.#endings.delete(id);
      this.#live.delete(id);
    });
    this.#endings.set(id, ending);
    return ending;
  }

  async #begin(id: string, live: Live, device: Pick<RemoteDevice, 'startRecording'>): Promise<void> {
    const { ledger, files, clock, bounds } = this.#options;
    const { partFile, journalFile } = files.orderOf(id);
    const order = { partFile, journalFile, ...bounds };
    const starting = device.startRecording(order, { ended: (ending) => void this.#endedByItself(id, live, ending) });
    try {
      live.device = await within(LIMITS.recordingStartMsMax, clock, starting);
      const { startedAtMs, width, height } = live.device;
      const row = ledger.get(id);
      if (!row) throw new Error('the recording is gone');
      const detail = `${width} × ${height} pixels`;
      ledger.move(row, 'recording', { startedAtMs: Math.floor(startedAtMs) }, [{ type: 'capture_started', detail }]);
    } catch (error) {
      this.#fail(id, error);
      // It may begin after all, or go on although its beginning could not be written.
      void starting
        .then((late) => late.stop())
        .catch(() => undefined)
        .then(() => files.removeAll(id))
        .catch(this.#options.onFault);
    }
  }

  #fail(id: string, error: unknown): void {
    const { ledger, onFault } = this.#options;
    this.#live.delete(id);
    if (!(error instanceof RecordingFault || error instanceof TookTooLong)) onFault(error);
    const { stage, code, message } = toFault(error, 'prepare', 'capture_start_failed');
    const failure = { stage, code, message, retryable: false };
    try {
      const row = ledger.get(id);
      if (row?.status !== 'starting') return;
      ledger.move(row, 'failed', { failure }, [{ type: 'failed', detail: `${code}: ${message}` }]);
    } catch (fault) {
      onFault(fault);
    }
  }

  async #end(id: string, why: string): Promise<void> {
    const { ledger, finalizer } = this.#options;
    const live = this.#live.get(id);
    await live?.begun;
    const row = ledger.get(id);
    if (row?.status === 'recording') {
      ledger.move(row, 'finalizing', { tries: 1 }, [{ type: 'stop_requested', detail: why }]);
      await finalizer.finalize(id, await this.#stop(id, live?.device));
    } else if (row?.status === 'finalizing') {
      await finalizer.finalize(id);
    }
  }

  /** Stops the capture; what went wrong with that comes back, because what is on disk can be finished all the same. */
  async #stop(id: string, device: DeviceRecording | undefined): Promise<RecordingFaultFields | undefined> {
    try {
      if (!device) throw new RecordingFault(INTERRUPTED);
      const { stoppedAtMs, reason } = await within(CAPTURE_STOP_MS_MAX, this.#options.clock, device.stop());
      this.#noteStop(id, END_DETAIL[reason], Math.floor(stoppedAtMs));
      return undefined;
    } catch (error) {
      const fault = toFault(error, 'capture', 'capture_interrupted');
      this.#noteStop(id, `${fault.code}: ${fault.message}`);
      return fault;
    }
  }

  #noteStop(id: string, detail: string | undefined, stoppedAtMs?: number): void {
    const { ledger, onFault } = this.#options;
    try {
      const row = ledger.get(id);
      if (row?.status !== 'finalizing') return;
      const step = { type: 'capture_stopped', ...(detail === undefined ? {} : { detail }) } as const;
      ledger.note(row, stoppedAtMs === undefined ? {} : { stoppedAtMs }, [step]);
    } catch (error) {
      // The recording is worth more than this event.
      onFault(error);
    }
  }

  /** The capture ended although nobody asked for it: at a limit, or with its device. */
  async #endedByItself(id: string, live: Live, ending: CaptureEnding): Promise<void> {
    await live.begun;
    if (this.#endings.has(id)) return;
    await this.#ending(id, () => this.#conclude(id, ending)).catch(this.#options.onFault);
  }

  async #conclude(id: string, ending: CaptureEnding): Promise<void> {
    const { ledger, finalizer } = this.#options;
    const row = ledger.get(id);
    if (row?.status !== 'recording') return;
    const fault = 'fault' in ending ? ending.fault : undefined;
    const summary = 'summary' in ending ? ending.summary : undefined;
    const detail = fault ? `${fault.code}: ${fault.message}` : summary && END_DETAIL[summary.reason];
    ledger.move(row, 'finalizing', { tries: 1, ...(summary && { stoppedAtMs: Math.floor(summary.stoppedAtMs) }) }, [
      { type: 'capture_stopped', ...(detail === undefined ? {} : { detail }) },
    ]);
    await finalizer.finalize(id, fault);
  }
}

/** What ended a capture that nobody ended. */
export const INTERRUPTED: RecordingFaultFields = {
  stage: 'capture',
  code: 'capture_interrupted',
  message: 'The server ended before any picture was on disk.',
  retryable: false,
};
