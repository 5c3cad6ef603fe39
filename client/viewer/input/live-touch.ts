import type { Point } from '@runcloud/protocol';
import type { LiveGesture, Viewer } from '../viewer.ts';

/** A held finger says so this often: a gesture without steps ends by its timeout. */
const HOLD_MS = 4_000;

/**
 * The fingers of one person, sent as live gestures. A gesture has as many points from its begin to its end, so a second
 * finger ends the first one's gesture, unnoticed by the app, and begins one of two.
 */
export class LiveTouch {
  readonly #viewer: Viewer;
  /** Calls back before the next picture of the page. */
  readonly #nextFrame: (callback: () => void) => void;
  #gesture: LiveGesture | undefined;
  #points: readonly Point[] = [];
  #frameAsked = false;
  #movedSinceFrame = false;
  #hold: ReturnType<typeof setInterval> | undefined;

  constructor(viewer: Viewer, nextFrame: (callback: () => void) => void) {
    this.#viewer = viewer;
    this.#nextFrame = nextFrame;
  }

  get down(): boolean {
    return this.#gesture !== undefined;
  }

  begin(points: readonly Point[]): void {
    this.cancel();
    const gesture = this.#viewer.touch(points);
    this.#gesture = gesture;
    this.#points = points;
    clearInterval(this.#hold);
    this.#hold = setInterval(() => gesture.move(this.#points), HOLD_MS);
    void gesture.result.then(() => {
      // It may end by itself: refused, timed out, or with its connection.
      if (this.#gesture === gesture) this.#release();
    });
  }

  /** Moves at once, and then no more than once in each of the page's frames. */
  move(points: readonly Point[]): void {
    if (!this.#gesture || points.length !== this.#points.length) return;
    this.#points = points;
    if (this.#frameAsked) {
      this.#movedSinceFrame = true;
      return;
    }
    this.#gesture.move(points);
    this.#frameAsked = true;
    this.#nextFrame(() => this.#frame());
  }

  end(points: readonly Point[] = this.#points): void {
    const gesture = this.#gesture;
    if (!gesture) return;
    // The end alone lifts where it is; the last move tells the app that the finger went there first.
    if (this.#movedSinceFrame) gesture.move(this.#points);
    this.#release();
    gesture.end(points);
  }

  cancel(): void {
    const gesture = this.#gesture;
    this.#release();
    gesture?.cancel();
  }

  #frame(): void {
    this.#frameAsked = false;
    if (!this.#movedSinceFrame || !this.#gesture) return;
    this.#movedSinceFrame = false;
    this.move(this.#points);
  }

  #release(): void {
    this.#gesture = undefined;
    this.#movedSinceFrame = false;
    clearInterval(this.#hold);
  }
}
