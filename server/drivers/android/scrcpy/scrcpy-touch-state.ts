import type { Point, PointerPhase } from '../../../device/driver.ts';
import type { TouchSurface } from '../../gesture-player.ts';
import type { PictureSize } from '../../video/video-source.ts';
import {
  type DisplaySize,
  type QuarterTurns,
  toDisplayPixel,
  toUprightPixel,
  uprightSize,
} from '../guest/orientation.ts';
import { touchMessage } from './control-messages.ts';
import { isOfForm, videoPixel } from './video-pixel.ts';

/** For this time after a rotation a touch is repeated, since the device may have dropped one sent with the former size. */
const LIFTED_MS = 1_000;

/** The display as the video shows it now. */
export interface View {
  /** Of the video; lies as the device is turned. */
  readonly size: PictureSize;
  readonly turns: QuarterTurns;
}

/**
 * The fingers on a device that scrcpy's server touches. A gesture keeps the orientation that it began in: a screen that
 * turns under it does not tear the finger away, which stays on its place of the glass.
 */
export class ScrcpyTouchState implements TouchSurface {
  readonly #send: (messages: Uint8Array) => void;
  readonly #display: DisplaySize;
  readonly #view: () => View;
  /** Where fingers are, in pixels of the display as it is built. */
  #down: readonly Point[] = [];
  #turnsOfGesture: QuarterTurns = 0;
  #lifted: { readonly points: readonly Point[]; readonly atMs: number } | undefined;

  /** @param display as it is built */
  constructor(send: (messages: Uint8Array) => void, display: DisplaySize, view: () => View) {
    this.#send = send;
    this.#display = display;
    this.#view = view;
  }

  /** Throws as the sending does. */
  touch(phase: PointerPhase, points: readonly Point[]): void {
    if (phase === 'cancel') return this.lift();
    if (phase === 'begin') {
      this.lift();
      this.#turnsOfGesture = this.#view().turns;
    }
    // The fingers of this step were lifted before.
    else if (this.#down.length === 0) return;
    const display = this.#displayNow();
    const at = points.map((point) => toDisplayPixel(point, this.#turnsOfGesture, display));
    const moved = at.some(({ x, y }, finger) => this.#down[finger]?.x !== x || this.#down[finger]?.y !== y);
    // A lift does not move: a finger that ends elsewhere goes there first.
    if (phase !== 'end' || moved) this.#tell(phase === 'begin' ? 'down' : 'move', at);
    this.#down = at;
    if (phase === 'end') this.lift();
  }

  /** Lifts every finger that is down. */
  lift(): void {
    const points = this.#down;
    this.#down = [];
    if (points.length === 0) return;
    this.#lifted = { points, atMs: performance.now() };
    this.#tell('up', points);
  }

  /** The video has another size now. */
  resized(): void {
    const lifted = this.#lifted;
    this.#lifted = undefined;
    // A finger that is not down any more is not lifted a second time.
    if (lifted && this.#down.length === 0 && performance.now() - lifted.atMs < LIFTED_MS)
      this.#tell('up', lifted.points);
  }

  /** All fingers at once. */
  #tell(action: 'down' | 'move' | 'up', points: readonly Point[]): void {
    const { size, turns } = this.#view();
    const display = this.#displayNow();
    const messages = points.map((point, finger) => {
      const at = toUprightPixel(point, turns, display);
      return touchMessage(action, finger, videoPixel(at, uprightSize(display, turns), size), size);
    });
    this.#send(Buffer.concat(messages));
  }

  #displayNow(): DisplaySize {
    const { size, turns } = this.#view();
    return isOfForm(size, uprightSize(this.#display, turns)) ? this.#display : uprightSize(size, turns);
  }
}
