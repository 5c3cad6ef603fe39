import type { Orientation } from '@runcloud/protocol';
import type { Kept, KeptPicture } from '../draw/command.ts';
import { Scene } from '../draw/scene.ts';
import type { Frame } from '../draw/screen.ts';
import { done, type MotionClock, underWay } from '../glide.ts';

const DURATION_MS = 350;

/** How the phone is held, in quarter turns clockwise. */
const TURNS: Readonly<Record<Orientation, number>> = {
  portrait: 0,
  landscape_right: 1,
  portrait_upside_down: 2,
  landscape_left: 3,
};

/** The motion of the picture after the phone was turned: the old picture turns upright and becomes the new one. */
export class Rotation {
  readonly #clock: MotionClock;
  #before: KeptPicture | undefined;
  /** Of the picture that the old one becomes. */
  #kept: Kept = {};
  /** Quarter turns clockwise by which the old picture lies askew at first: -1, 1 or 2. */
  #turns = 0;
  #startMs = 0;

  constructor(clock: MotionClock) {
    this.#clock = clock;
  }

  /** @param before the last picture that was upright for the former orientation */
  begin(before: Frame, orientation: Orientation): void {
    const turns = (TURNS[orientation] - TURNS[before.orientation] + 4) % 4;
    this.#turns = turns === 3 ? -1 : turns;
    const { commands, width, height } = before;
    this.#before = { commands, width, height, kept: {} };
    this.#kept = {};
    this.#startMs = this.#clock.animationMs();
  }

  end(): void {
    this.#before = undefined;
    this.#kept = {};
  }

  isMoving(animationMs: number): boolean {
    return this.#before !== undefined && underWay(this.#clock, this.#startMs, DURATION_MS, animationMs);
  }

  /** The frame on its way, or the frame itself when nothing turns. */
  turned(frame: Frame, animationMs: number): Frame {
    const before = this.#before;
    if (!before) return frame;
    if (!this.isMoving(animationMs)) {
      this.end();
      return frame;
    }
    const share = done(this.#clock, this.#startMs, DURATION_MS, animationMs);
    const { commands, width, height } = frame;
    const between = (from: number, to: number) => from + (to - from) * share;
    const scene = new Scene(width, height);
    const turn = {
      before,
      after: { commands, width, height, kept: this.#kept },
      angle: (1 - share) * this.#turns * (Math.PI / 2),
      width: between(before.width, width),
      height: between(before.height, height),
    };
    scene.turn(turn, 1 - share);
    return { ...frame, commands: scene.commands };
  }
}
