import type { RecordingFaultFields } from '../link/recording-fault.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import type { RecordingRow } from '../store/recording-row.ts';
import { ActiveRecording, type ActiveRecordingOptions } from './active-recording.ts';

/** The captures that run on devices now. */
export class ActiveRecordings {
  readonly #options: ActiveRecordingOptions;
  readonly #active = new Map<string, ActiveRecording>();

  constructor(options: ActiveRecordingOptions) {
    this.#options = options;
  }

  isBusy(id: string): boolean {
    return this.#active.has(id);
  }

  /** Resolves when the recording has left `starting`, or its start was aborted. */
  begun(id: string): Promise<void> | undefined {
    return this.#active.get(id)?.begun;
  }

  /** Begins the capture of a recording that is `starting`; resolves when it has begun or failed. Never rejects. */
  begin({ id }: RecordingRow, device: Pick<RemoteDevice, 'startRecording'>): Promise<void> {
    const recording = new ActiveRecording(id, device, this.#options);
    this.#active.set(id, recording);
    void recording.over.then(() => this.#active.delete(id));
    return recording.begun;
  }

  /** Ends a capture as `ActiveRecording.end` does. Of one that has ended it resolves when the try to finalize has. */
  async end(id: string, why: string): Promise<void> {
    const recording = this.#active.get(id);
    if (recording) return recording.end(why);
    const { log, finalizer } = this.#options;
    const row = log.get(id);
    if (row?.status === 'recording') {
      // Left behind by a server that was killed, and not taken up yet.
      log.transition(row, 'finalizing', { tries: 1 }, [{ type: 'stop_requested', detail: why }]);
      await finalizer.finalize(id, INTERRUPTED);
    } else if (row?.status === 'finalizing') {
      await finalizer.finalize(id);
    }
  }
}

/** The fault of a capture that the end of the server interrupted. */
export const INTERRUPTED: RecordingFaultFields = {
  stage: 'capture',
  code: 'capture_interrupted',
  message: 'The server ended before any picture was on disk.',
  retryable: false,
};
