/**
 * Time as animations see it: the phone's time, or a tenth of it under `slowAnimations`. A change of the rate goes on
 * from the moment reached, so nothing jumps.
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
