import type { Clock } from './clock.ts';

/** One limit at a time: each takes the place of the one before. */
export class Watchdog {
  readonly #clock: Clock;
  #cancelTimer: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param onOver called once after `limitMs`, unless another limit is set or this one cleared before */
  set(limitMs: number, onOver: () => void): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.schedule(limitMs, onOver);
  }

  clear(): void {
    this.#cancelTimer();
  }
}
