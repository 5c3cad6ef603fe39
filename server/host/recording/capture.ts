import { storageFault } from '../../capture/storage-fault.ts';
import { type Track, ticksToMs, toTicks } from '../../capture/track.ts';
import type { Clock } from '../../flow/clock.ts';
import { RecordingFault, type RecordingFaultFields } from '../../link/recording-fault.ts';
import type {
  CaptureEndReason,
  CaptureSummary,
  RecordingOrder,
  RecordingStarted,
} from '../../link/recording-messages.ts';
import type { ScreenPipeline } from '../stream/screen-pipeline.ts';
import { type CaptureSink, type CaptureWriter, captureWriter } from './capture-writer.ts';
import { DISK_FULL, freeBytesOf, isDiskFull } from './disk-full.ts';
import { RecordedScreen } from './recorded-screen.ts';
import { SampleQueue } from './sample-queue.ts';

/**
 * Interval between writes. A kill loses at most the samples of one interval plus the time to pass them to the writer thread.
 */
const WRITE_INTERVAL_MS = 250;
/** Interval of flushes to the disk and of checks of its free space. */
const SYNC_INTERVAL_MS = 1_000;
/** Timeout of the first picture. */
const FIRST_PICTURE_MS_MAX = 10_000;
/** Interval of repeated pictures of a still screen: a picture's duration has 31 bits of ticks, 6 hours. */
const STILL_MS_MAX = 3_600_000;

export interface CaptureParts {
  readonly screen: ScreenPipeline;
  /** The clock of the pipeline. */
  readonly clock: Clock;
  /** Free bytes of the disk that holds a folder. */
  readonly freeBytes?: (folder: string) => Promise<number>;
  /** Default: the writer of this thread. */
  readonly writer?: CaptureWriter;
}

/** Why the capture ends; the first reason wins. */
type End = { readonly reason: CaptureEndReason; readonly atUs: number } | { readonly fault: RecordingFault };

/** One capture of a screen into a part file and its journal, from the first picture to the last. */
export class Capture {
  readonly #order: RecordingOrder;
  readonly #clock: Clock;
  readonly #freeBytes: (folder: string) => Promise<number>;
  readonly #writer: CaptureWriter;
  readonly #screen: RecordedScreen;
  readonly #samples = new SampleQueue(() => this.#wake());
  #track: Track | undefined;
  #end: End | undefined;
  #sampleCount = 0;
  #wake: () => void = () => undefined;
  #startedAtMs = 0;
  #syncedMs = 0;
  /** Start of the last write. */
  #writtenMs = 0;
  /** Never rejects. */
  #syncing: Promise<void> | undefined;
  /** Settles when the first picture is on disk; rejects with a `RecordingFault`. */
  readonly started: Promise<RecordingStarted>;
  /** Settles when everything is on disk; rejects with the `RecordingFault` that ended the capture. */
  readonly ended: Promise<CaptureSummary>;

  constructor(order: RecordingOrder, { screen, clock, freeBytes = freeBytesOf, writer = captureWriter }: CaptureParts) {
    this.#order = order;
    this.#clock = clock;
    this.#freeBytes = freeBytes;
    this.#writer = writer;
    this.#screen = new RecordedScreen(screen, {
      picture: (picture, track) => {
        if (this.#end) return;
        if (!this.#track) this.#startedAtMs = Math.floor(picture.time.atUs / 1_000);
        this.#track ??= track;
        this.#samples.push(picture);
      },
      failed: (fault) => this.#finish({ fault }),
    });
    const begun = this.#begin();
    this.started = begun.then(({ started }) => started);
    this.ended = begun.then(({ files }) => this.#run(files));
    // Callers may ignore these promises; an ignored rejection must not end the thread.
    this.started.catch(() => undefined);
    this.ended.catch(() => undefined);
  }

  /** Ends the capture; `ended` settles when everything is on disk. */
  stop(): void {
    this.#finish({ reason: 'stopped', atUs: this.#elapsedUs });
  }

  /** Ends the capture with a fault; the samples until now are kept. */
  fail(fault: RecordingFault): void {
    this.#finish({ fault });
  }

  /** Waits until the first picture is on disk; closes everything if there is none. */
  async #begin(): Promise<{ readonly started: RecordingStarted; readonly files: CaptureSink }> {
    let files: CaptureSink | undefined;
    try {
      this.#writer.warm();
      if (await isDiskFull(this.#order, 0, this.#freeBytes)) throw new RecordingFault(DISK_FULL);
      if (!this.#track) await this.#nap(FIRST_PICTURE_MS_MAX);
      this.#throwFault();
      const track = this.#track;
      if (!track) throw new RecordingFault(NO_PICTURE);
      files = await this.#writer.create(this.#order, track);
      await this.#write(files);
      this.#throwFault();
      const { width, height } = track;
      return { started: { startedAtMs: this.#startedAtMs, width, height }, files };
    } catch (error) {
      const fault = storageFault(error, 'prepare');
      this.#finish({ fault });
      await files?.close();
      throw fault;
    }
  }

  async #run(files: CaptureSink): Promise<CaptureSummary> {
    try {
      while (!this.#end) {
        const { maxDurationMs } = this.#order;
        const pauseMs = this.#writtenMs + WRITE_INTERVAL_MS - this.#clock.monotonicMs();
        await this.#nap(Math.max(0, Math.min(pauseMs, maxDurationMs - this.#elapsedUs / 1_000)));
        if (this.#elapsedUs >= maxDurationMs * 1_000) this.#finish({ reason: 'limit', atUs: maxDurationMs * 1_000 });
        if (this.#end) break;
        await this.#write(files);
        this.#syncWhenDue(files);
        if (this.#elapsedUs - this.#samples.lastUs > STILL_MS_MAX * 1_000) this.#screen.requestKey();
        if (this.#samples.overflowed) this.#finish({ fault: new RecordingFault(TOO_SLOW) });
      }
      return await this.#conclude(files);
    } catch (error) {
      const fault = storageFault(error, 'capture');
      this.#finish({ fault });
      await this.#syncing;
      await files.close();
      throw fault;
    }
  }

  async #conclude(files: CaptureSink): Promise<CaptureSummary> {
    const end = this.#end;
    if (!end) throw new Error('the capture goes on');
    await this.#syncing;
    const wantedUs = 'reason' in end ? end.atUs : this.#elapsedUs;
    const samples = this.#samples.take(wantedUs);
    this.#sampleCount += samples.length;
    const endUs = Math.max(wantedUs, this.#samples.pastLastUs);
    await files.write(samples, endUs);
    const bytes = await files.finish(endUs);
    if ('fault' in end) throw end.fault;
    // In ticks first, as its container tells it: the record of the finished file says the same.
    const durationMs = ticksToMs(toTicks(endUs));
    const { reason } = end;
    return { stoppedAtMs: this.#startedAtMs + durationMs, durationMs, sampleCount: this.#sampleCount, bytes, reason };
  }

  async #write(files: CaptureSink): Promise<void> {
    this.#writtenMs = this.#clock.monotonicMs();
    const untilUs = this.#elapsedUs;
    const samples = this.#samples.take();
    this.#sampleCount += samples.length;
    await files.write(samples, Math.max(untilUs, this.#samples.pastLastUs));
  }

  /** Concurrent with writes: while the disk is slow, written data has at least left this process. */
  #syncWhenDue(files: CaptureSink): void {
    const nowMs = this.#clock.monotonicMs();
    if (this.#syncing || nowMs - this.#syncedMs < SYNC_INTERVAL_MS) return;
    this.#syncedMs = nowMs;
    this.#syncing = this.#sync(files)
      .catch((error) => this.#finish({ fault: storageFault(error, 'capture') }))
      .finally(() => {
        this.#syncing = undefined;
      });
  }

  async #sync(files: CaptureSink): Promise<void> {
    const writtenBytes = await files.sync();
    const full = await isDiskFull(this.#order, writtenBytes, this.#freeBytes);
    if (full) this.#finish({ reason: 'headroom', atUs: this.#elapsedUs });
  }

  get #elapsedUs(): number {
    return this.#samples.elapsedUs(this.#clock.monotonicMs());
  }

  #finish(end: End): void {
    this.#end ??= end;
    this.#screen.close();
    this.#wake();
  }

  #throwFault(): void {
    if (this.#end && 'fault' in this.#end) throw this.#end.fault;
  }

  /** Waits for a time, or until an event that cannot wait. */
  #nap(limitMs: number): Promise<void> {
    if (this.#end) return Promise.resolve();
    return new Promise((resolve) => {
      const cancelTimer = this.#clock.schedule(limitMs, () => this.#wake());
      this.#wake = () => {
        this.#wake = () => undefined;
        cancelTimer();
        resolve();
      };
    });
  }
}

const NO_PICTURE: RecordingFaultFields = {
  stage: 'prepare',
  code: 'capture_start_failed',
  message: 'The screen gave no picture to begin with.',
  retryable: true,
};

const TOO_SLOW: RecordingFaultFields = {
  stage: 'capture',
  code: 'storage_error',
  message: 'The disk that recordings are kept on is too slow.',
  retryable: false,
};
