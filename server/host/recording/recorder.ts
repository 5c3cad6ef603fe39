import { storageFault } from '../../capture/storage-fault.ts';
import type { Clock } from '../../flow/clock.ts';
import { withTimeout } from '../../flow/timeout.ts';
import { causeOf } from '../../link/link-log.ts';
import { RecordingFault, recordingLost } from '../../link/recording-fault.ts';
import type { CaptureEnding, CaptureSummary, RecordingOrder, RecordingStarted } from '../../link/recording-messages.ts';
import type { ScreenPipeline } from '../stream/screen-pipeline.ts';
import { Capture } from './capture.ts';

/** Maximum delay of a device's loss while its recording is closed on a stalled disk. */
const CLOSE_MS_MAX = 2_000;

type TellEnded = (recording: number, ending: CaptureEnding) => void;

/** The recordings of one device by number: at most one active recording, and the ended ones. */
export class Recorder {
  readonly #screen: ScreenPipeline;
  readonly #clock: Clock;
  readonly #tellEnded: TellEnded;
  readonly #recordings = new Map<number, Capture>();
  #running: { readonly number: number; readonly recording: Capture } | undefined;

  /** @param clock the pipeline's own */
  constructor(screen: ScreenPipeline, clock: Clock, tellEnded: TellEnded) {
    this.#screen = screen;
    this.#clock = clock;
    this.#tellEnded = tellEnded;
  }

  /** Settles when the first picture is on disk; rejects with a `RecordingFault`. */
  async start(number: number, order: RecordingOrder): Promise<RecordingStarted> {
    if (this.#running) {
      const message = 'The device is already being recorded.';
      throw new RecordingFault({ stage: 'prepare', code: 'capture_start_failed', message, retryable: true });
    }
    const recording = new Capture(order, { screen: this.#screen, clock: this.#clock });
    this.#running = { number, recording };
    this.#recordings.set(number, recording);
    void this.#follow(number, recording);
    return recording.started;
  }

  /** Settles when all is on disk, also when the recording has ended already; rejects with a `RecordingFault`. */
  async stop(number: number): Promise<CaptureSummary> {
    const recording = this.#recordings.get(number);
    if (!recording) throw new RecordingFault(UNKNOWN);
    recording.stop();
    return recording.ended;
  }

  /** Ends the active recording of a closing device; settles when its files are closed. */
  async close(reason: string): Promise<void> {
    if (!this.#running) return;
    const { recording } = this.#running;
    recording.fail(new RecordingFault(recordingLost(reason)));
    await withTimeout(CLOSE_MS_MAX, this.#clock, recording.ended).catch(() => undefined);
  }

  async #follow(number: number, recording: Capture): Promise<void> {
    let ending: CaptureEnding;
    try {
      ending = { summary: await recording.ended };
    } catch (error) {
      // Any error ends only this recording.
      const { fields, cause } = storageFault(error, 'capture');
      ending = { fault: fields, ...(cause === undefined ? {} : { cause: causeOf(cause) }) };
    } finally {
      this.#running = undefined;
    }
    // A recording that never began is reported by the answer to its start.
    await recording.started.then(
      () => {
        // A recording that was stopped is reported by the answer to the stop.
        if (!('summary' in ending && ending.summary.reason === 'stopped')) this.#tellEnded(number, ending);
      },
      () => this.#recordings.delete(number),
    );
  }
}

const UNKNOWN = {
  stage: 'capture',
  code: 'capture_interrupted',
  message: 'The device knows of no such recording.',
  retryable: false,
} as const;
