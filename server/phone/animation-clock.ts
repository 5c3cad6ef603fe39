/**
 * The time of animations: it runs as fast as the phone's time, or ten times slower under `slowAnimations`. When the rate
 * changes, the animation time continues from its current value, so nothing jumps.
 */
export class AnimationClock {
  readonly #nowMs: () => number;
  #rate = 1;
  #sinceMs: number;
  #baseMs: number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
    this.#baseMs = this.#sinceMs;
  }

  nowMs(): number {
    return this.#baseMs + (this.#nowMs() - this.#sinceMs) * this.#rate;
  }

  setRate(rate: number): void {
    this.#baseMs = this.nowMs();
    this.#sinceMs = this.#nowMs();
    this.#rate = rate;
  }
}
