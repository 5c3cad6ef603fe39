import type { Clock } from './clock.ts';

/** A watchdog timer; setting a new limit replaces the previous one. */
export class Watchdog {
  readonly #clock: Clock;
  #cancelTimer: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param onOver called once after `limitMs`, unless the limit is replaced or cleared before */
  set(limitMs: number, onOver: () => void): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.schedule(limitMs, onOver);
  }

  clear(): void {
    this.#cancelTimer();
  }
}
