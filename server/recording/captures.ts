import type { RecordingFaultFields } from '../link/recording-fault.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import type { RecordingRow } from '../store/recording-row.ts';
import { Capture, type CaptureOptions } from './capture.ts';

/** The captures that run on devices now. */
export class Captures {
  readonly #options: CaptureOptions;
  readonly #live = new Map<string, Capture>();

  constructor(options: CaptureOptions) {
    this.#options = options;
  }

  isBusy(id: string): boolean {
    return this.#live.has(id);
  }

  /** Resolves when the recording has left `starting`, or is given up. */
  begun(id: string): Promise<void> | undefined {
    return this.#live.get(id)?.begun;
  }

  /** Begins the capture of a recording that is `starting`; resolves when it has begun or failed. Never rejects. */
  begin({ id }: RecordingRow, device: Pick<RemoteDevice, 'startRecording'>): Promise<void> {
    const capture = new Capture(id, device, this.#options);
    this.#live.set(id, capture);
    void capture.over.then(() => this.#live.delete(id));
    return capture.begun;
  }

  /** Ends a capture as `Capture.end` does. Of one that has ended it resolves when the try to finalize has. */
  async end(id: string, why: string): Promise<void> {
    const capture = this.#live.get(id);
    if (capture) return capture.end(why);
    const { ledger, finalizer } = this.#options;
    const row = ledger.get(id);
    if (row?.status === 'recording') {
      // Left behind by a server that was killed, and not taken up yet.
      ledger.move(row, 'finalizing', { tries: 1 }, [{ type: 'stop_requested', detail: why }]);
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
