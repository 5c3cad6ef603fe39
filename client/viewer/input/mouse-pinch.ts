import type { Point } from '@runcloud/protocol';
import type { Viewer } from '../viewer.ts';
import { MIDDLE, mirrored, moved } from './points.ts';

/** Shows the fingers of a pinch by mouse; an empty list shows none. */
export type ShowFingers = (points: readonly Point[], pressed: boolean) => void;

/** Two fingers by mouse: with Alt the second finger mirrors the pointer, with Alt and Shift both move together. */
export class MousePinch {
  readonly #viewer: Viewer;
  readonly #show: ShowFingers;
  /** The middle between the fingers. */
  #centre = MIDDLE;
  #last = MIDDLE;
  #active = false;

  constructor(viewer: Viewer, show: ShowFingers) {
    this.#viewer = viewer;
    this.#show = show;
  }

  /** True from a press with Alt to its release, even if Alt is released first. */
  get active(): boolean {
    return this.#active;
  }

  /** Both fingers for a pointer at `point`. */
  pair(point: Point): Point[] {
    return [point, mirrored(point, this.#centre)];
  }

  /** A pointer is pressed, which begins a pinch if it is a mouse with Alt. */
  begin(event: PointerEvent, point: Point): void {
    this.#active = event.pointerType === 'mouse' && this.#isWanted(event);
    if (this.#active) this.#show(this.pair(point), true);
  }

  /** A pointer has moved. Also shows where the fingers would be before the mouse is pressed. */
  move(event: PointerEvent, point: Point, state: { readonly isDown: boolean; readonly isAllowed: boolean }): void {
    const by = { x: point.x - this.#last.x, y: point.y - this.#last.y };
    this.#last = point;
    if (event.pointerType !== 'mouse' || !state.isAllowed) return;
    const two = state.isDown ? this.#active : this.#isWanted(event);
    // Two fingers that move together keep their distance, so the middle between them moves, too.
    if (two && event.shiftKey) this.#centre = moved(this.#centre, by);
    if (!two && !state.isDown) this.#centre = MIDDLE;
    this.#show(two ? this.pair(point) : [], state.isDown);
  }

  end(event: PointerEvent, point: Point): void {
    if (this.#active) this.#show(event.altKey ? this.pair(point) : [], false);
    this.#active = false;
  }

  hide(): void {
    this.#show([], false);
  }

  #isWanted({ altKey }: PointerEvent): boolean {
    return altKey && this.#viewer.ready?.capabilities.fingers !== 1;
  }
}
