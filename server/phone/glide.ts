import type { Environment } from './environment.ts';

/** The parts of the phone that a motion depends on. */
export type MotionClock = Pick<Environment, 'animationMs' | 'state'>;

/** The moment of the animation time at which every motion of the system is at its end. */
export const SETTLED = Number.POSITIVE_INFINITY;

/** Time in which the software keyboard slides in or out, and in which an app's content makes room for it. */
export const SLIDE_MS = 250;

/**
 * The eased share of a motion that is done at a moment of the animation time: from 0 to 1, and always 1 when animations are
 * off.
 */
export function done({ state }: MotionClock, startMs: number, durationMs: number, animationMs: number): number {
  if (!state.animations) return 1;
  const way = Math.min(1, Math.max(0, (animationMs - startMs) / durationMs));
  return 1 - (1 - way) ** 3;
}

/** True until a motion is at its end. */
export function underWay({ state }: MotionClock, startMs: number, durationMs: number, animationMs: number): boolean {
  return state.animations && animationMs - startMs < durationMs;
}

/**
 * A number that moves to its new value instead of jumping there. It is a closed function of the animation time, so a picture
 * does not depend on the pictures before it. A new target is approached from wherever the number is.
 */
export class Glide {
  readonly #clock: MotionClock;
  readonly #durationMs: number;
  #from: number;
  #to: number;
  #startMs = Number.NEGATIVE_INFINITY;

  constructor(clock: MotionClock, durationMs: number, value = 0) {
    this.#clock = clock;
    this.#durationMs = durationMs;
    this.#from = value;
    this.#to = value;
  }

  /** The value at the end of the motion. */
  get end(): number {
    return this.#to;
  }

  /** The value at this moment. At rest it needs no clock: each tap asks. */
  get now(): number {
    return this.#from === this.#to ? this.#to : this.at(this.#clock.animationMs());
  }

  at(animationMs: number): number {
    const share = done(this.#clock, this.#startMs, this.#durationMs, animationMs);
    return this.#from + (this.#to - this.#from) * share;
  }

  isMoving(animationMs: number): boolean {
    return this.#from !== this.#to && underWay(this.#clock, this.#startMs, this.#durationMs, animationMs);
  }

  moveTo(value: number): void {
    const nowMs = this.#clock.animationMs();
    this.#from = this.at(nowMs);
    this.#to = value;
    this.#startMs = nowMs;
  }

  /** Moves to `end` from a value that something else has brought about, such as a finger. */
  moveFrom(value: number, end: number): void {
    this.jumpTo(value);
    this.moveTo(end);
  }

  jumpTo(value: number): void {
    this.#from = value;
    this.#to = value;
    this.#startMs = Number.NEGATIVE_INFINITY;
  }
}
