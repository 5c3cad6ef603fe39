import { AdaptiveQuality } from './adaptive-quality.ts';

/** How late a picture may begin without moving the plan of those after it. */
const SLACK_MS = 4;

/**
 * When a stream may have its next picture. The first after a pause goes at once; while the screen goes on changing they
 * keep the rate, which is lower while the host lacks time.
 */
export class FramePace {
  readonly #quality: AdaptiveQuality;
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(maxFps: number) {
    this.#quality = new AdaptiveQuality(maxFps);
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
    return this.#nextMs;
  }

  /** A picture that was wanted since `wantedMs` was begun at `startMs` and took `costMs`. */
  took(wantedMs: number, startMs: number, costMs: number): void {
    const lateMs = Math.max(0, startMs - Math.max(wantedMs, this.#nextMs));
    // A late timer does not lower the rate: the next picture is due by the plan, if that is not long past.
    this.#nextMs = Math.max(this.#nextMs, startMs - SLACK_MS) + 1_000 / this.fps;
    this.#quality.took(startMs, lateMs + costMs);
  }
}
