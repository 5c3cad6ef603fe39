/** Minimum automatic rate, in pictures per second. */
const FPS_MIN = 10;
/**
 * The steps by which a stream is reduced: shares of the requested rate and of the edges. The rate goes first, since a
 * sharp picture is worth more than a smooth one. Half the edges then halve the time of an encoding; a smaller step
 * would not help.
 */
const STEPS = [
  { rate: 1, size: 1 },
  { rate: 1 / 2, size: 1 },
  { rate: 1 / 2, size: 1 / 2 },
  { rate: 1 / 4, size: 1 / 2 },
  { rate: 1 / 6, size: 1 / 2 },
] as const;
const WINDOW_MS = 1_000;
/** Consecutive windows before a step. After a failed step up, the next one needs more windows. */
const STRAINED_WINDOWS = 2;
const EASY_WINDOWS = { min: 3, max: 48 };
/** Shares of a picture's time that its delay and its encoding take. A step up at most doubles what there is to do. */
const STRAINED_SHARE = 0.8;
const EASY_SHARE = 0.25;
/** Fractions of a window's pictures that must agree, so that a few delayed ones change nothing. */
const STRAINED_MOST = 0.6;
const EASY_MOST = 0.9;
/** Pictures that are further apart are not compared. */
const PAUSE_MS = 500;

/**
 * Adapts a stream's rate and size to the host: lower when encoding falls behind, and higher again when there is room.
 */
export class AdaptiveQuality {
  readonly #maxFps: number;
  #step = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #windowMs = Number.NEGATIVE_INFINITY;
  #pictures = 0;
  #strained = 0;
  #easy = 0;
  #strainedWindows = 0;
  #easyWindows = 0;
  #easyWindowsWanted = EASY_WINDOWS.min;
  /** The last step went up and has not proved itself yet. */
  #onTrial = false;

  constructor(maxFps: number) {
    this.#maxFps = maxFps;
  }

  /** Pictures a second. */
  get fps(): number {
    return Math.min(this.#maxFps, Math.max(FPS_MIN, this.#maxFps * (STEPS[this.#step]?.rate ?? 1)));
  }

  /** Share of the edges that were asked for. */
  get sizeShare(): number {
    return STEPS[this.#step]?.size ?? 1;
  }

  /** Records a picture at `nowMs` with its cost and delay. */
  took(nowMs: number, loadMs: number): void {
    if (nowMs - this.#lastMs > PAUSE_MS) this.#forget(nowMs);
    this.#lastMs = nowMs;
    if (nowMs - this.#windowMs >= WINDOW_MS) this.#judge(nowMs);
    const intervalMs = 1_000 / this.fps;
    this.#pictures++;
    if (loadMs > intervalMs * STRAINED_SHARE) this.#strained++;
    if (loadMs < intervalMs * EASY_SHARE) this.#easy++;
  }

  #judge(nowMs: number): void {
    const strained = this.#strained > this.#pictures * STRAINED_MOST;
    const easy = this.#easy > this.#pictures * EASY_MOST;
    this.#openWindow(nowMs);
    this.#strainedWindows = strained ? this.#strainedWindows + 1 : 0;
    this.#easyWindows = easy ? this.#easyWindows + 1 : 0;
    if (this.#strainedWindows >= STRAINED_WINDOWS) this.#stepDown(nowMs);
    else if (this.#easyWindows >= this.#easyWindowsWanted) this.#stepUp(nowMs);
  }

  #stepDown(nowMs: number): void {
    if (this.#onTrial) this.#easyWindowsWanted = Math.min(this.#easyWindowsWanted * 2, EASY_WINDOWS.max);
    this.#onTrial = false;
    this.#step = Math.min(this.#step + 1, STEPS.length - 1);
    this.#forget(nowMs);
  }

  #stepUp(nowMs: number): void {
    // A step up that stayed easy for this long was right.
    if (this.#onTrial || this.#step === 0) this.#easyWindowsWanted = EASY_WINDOWS.min;
    this.#onTrial = this.#step > 0;
    this.#step = Math.max(this.#step - 1, 0);
    this.#forget(nowMs);
  }

  #forget(nowMs: number): void {
    this.#strainedWindows = 0;
    this.#easyWindows = 0;
    this.#openWindow(nowMs);
  }

  #openWindow(nowMs: number): void {
    this.#windowMs = nowMs;
    this.#pictures = 0;
    this.#strained = 0;
    this.#easy = 0;
  }
}
