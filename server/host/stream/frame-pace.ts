/** The rate never goes below this by itself, in pictures a second. */
const FPS_MIN = 10;
/** How long a host must lack time before a stream slows down, and have it again before it speeds up. */
const STRAINED_MS = 1_000;
const EASY_MS = 3_000;
/** Shares of a picture's time that its delay and its encoding take, on average. */
const STRAINED_SHARE = 0.8;
const EASY_SHARE = 0.25;
/** Weight of the newest picture in the average. */
const NEWEST = 0.1;
/** Pictures that lie further apart say nothing of each other. */
const PAUSE_MS = 500;
/** How late a picture may begin without moving the plan of those after it. */
const SLACK_MS = 4;

/**
 * When a stream may have its next picture. The first after a pause goes at once; while the screen goes on changing they
 * keep the rate. A host that lacks time halves the rate, for all who watch, and doubles it again when it has time.
 */
export class FramePace {
  readonly #maxFps: number;
  #fps: number;
  #nextMs = Number.NEGATIVE_INFINITY;
  #averageMs = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #strainedSinceMs: number | undefined;
  #easySinceMs: number | undefined;

  constructor(maxFps: number) {
    this.#maxFps = maxFps;
    this.#fps = maxFps;
  }

  /** The rate at present, in pictures a second. */
  get fps(): number {
    return this.#fps;
  }

  /** The earliest time of the next picture, on the monotonic clock. */
  get nextMs(): number {
    return this.#nextMs;
  }

  /** A picture that was wanted since `wantedMs` was begun at `startMs` and took `costMs`. */
  took(wantedMs: number, startMs: number, costMs: number): void {
    const lateMs = Math.max(0, startMs - Math.max(wantedMs, this.#nextMs));
    // A late timer does not lower the rate: the next picture is due by the plan, if that is not long past.
    this.#nextMs = Math.max(this.#nextMs, startMs - SLACK_MS) + 1_000 / this.#fps;
    this.#weigh(startMs, lateMs + costMs);
    this.#lastMs = startMs;
  }

  #weigh(nowMs: number, loadMs: number): void {
    if (nowMs - this.#lastMs > PAUSE_MS) this.#forget();
    this.#averageMs += (loadMs - this.#averageMs) * NEWEST;
    const intervalMs = 1_000 / this.#fps;
    const strained = this.#averageMs > intervalMs * STRAINED_SHARE;
    const easy = this.#averageMs < intervalMs * EASY_SHARE;
    this.#strainedSinceMs = strained ? (this.#strainedSinceMs ?? nowMs) : undefined;
    this.#easySinceMs = easy ? (this.#easySinceMs ?? nowMs) : undefined;
    if (this.#strainedSinceMs !== undefined && nowMs - this.#strainedSinceMs >= STRAINED_MS) {
      this.#setFps(Math.max(this.#fps / 2, FPS_MIN));
    } else if (this.#easySinceMs !== undefined && nowMs - this.#easySinceMs >= EASY_MS) {
      this.#setFps(this.#fps * 2);
    }
  }

  #setFps(fps: number): void {
    this.#fps = Math.min(fps, this.#maxFps);
    this.#forget();
  }

  #forget(): void {
    this.#strainedSinceMs = undefined;
    this.#easySinceMs = undefined;
  }
}
