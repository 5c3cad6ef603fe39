import { AdaptiveQuality } from './adaptive-quality.ts';

/** Lateness of a picture that does not shift the schedule. */
const SLACK_MS = 4;
/** However little of the time or of a link a stream has, a change is shown after this. */
const PICTURE_MS_MAX = 1_000;

/**
 * Schedules the pictures of a stream. The first one after a pause is due at once; during continuous change they keep the rate,
 * which is lower while the host is overloaded.
 */
export class FramePace {
  readonly #quality: AdaptiveQuality;
  #timeShare = 1;
  #bytesPerMs = Number.POSITIVE_INFINITY;
  /** When the link has carried the last picture. */
  #carriedMs = Number.NEGATIVE_INFINITY;
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(maxFps: number) {
    this.#quality = new AdaptiveQuality(maxFps);
  }

  /** Bounds the share of the time in which the stream is being encoded; 1 is no bound. */
  limitTo(timeShare: number): void {
    this.#timeShare = timeShare;
  }

  /** Bounds the bytes of the stream per millisecond; `undefined`: no longer. */
  boundRate(bytesPerMs: number | undefined): void {
    this.#bytesPerMs = bytesPerMs ?? Number.POSITIVE_INFINITY;
    if (bytesPerMs === undefined) this.#carriedMs = Number.NEGATIVE_INFINITY;
  }

  /** The rate at present, in pictures a second. */
  get fps(): number {
    return this.#quality.fps;
  }

  /** Share of the edges that were asked for, at present. */
  get sizeShare(): number {
    return this.#quality.sizeShare;
  }

  /** The earliest time of the next picture, on the monotonic clock. */
  get nextMs(): number {
    return Math.max(this.#nextMs, this.#carriedMs);
  }

  /**
   * Schedules the picture after one whose capture began at `startMs`: by its beginning, so that a rate is kept whose pictures
   * take nearly all of the time between two of them.
   * @param wantedMs since when it was wanted
   * @returns how late it began, in milliseconds
   */
  began(wantedMs: number, startMs: number): number {
    const lateMs = Math.max(0, startMs - Math.max(wantedMs, this.nextMs));
    // A late timer does not lower the rate: the next picture is due by the schedule, unless that is long past.
    this.#nextMs = Math.max(this.#nextMs, startMs - SLACK_MS) + 1_000 / this.fps;
    return lateMs;
  }

  /** Records what a picture that began at `startMs`, so late, took to encode. */
  took(startMs: number, lateMs: number, costMs: number): void {
    if (this.#timeShare < 1) {
      const restMs = Math.min(costMs / this.#timeShare, PICTURE_MS_MAX);
      this.#nextMs = Math.max(this.#nextMs, startMs + restMs);
    }
    this.#quality.took(startMs, lateMs + costMs);
  }

  /** Records how many bytes a picture has that began at `startMs`. */
  made(startMs: number, bytes: number): void {
    this.#carriedMs = startMs + Math.min(bytes / this.#bytesPerMs, PICTURE_MS_MAX);
  }
}
