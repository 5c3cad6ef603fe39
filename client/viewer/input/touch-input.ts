import type { Point } from '@runcloud/protocol';
import type { Viewer } from '../viewer.ts';
import { LiveTouch } from './live-touch.ts';
import { MousePinch, type ShowFingers } from './mouse-pinch.ts';
import { pointIn } from './points.ts';

export interface TouchOptions {
  readonly viewer: Viewer;
  /** Takes the pointer's events; covers the picture exactly. */
  readonly surface: HTMLElement;
  readonly showFingers: ShowFingers;
  /** Gives the keyboard to the device as well. */
  readonly focus: () => void;
}

/** Turns touch, pen and mouse on the screen into touches of the device. */
export function takeTouches({ viewer, surface, showFingers, focus }: TouchOptions): void {
  const fingers = new LiveTouch(viewer, (callback) => requestAnimationFrame(callback));
  const pinch = new MousePinch(viewer, showFingers);
  /** The place of each pointer of the gesture, in the order in which they were pressed. */
  const pointers = new Map<number, Point>();

  const at = (event: PointerEvent): Point => pointIn(surface.getBoundingClientRect(), event.clientX, event.clientY);
  const touching = (point: Point): Point[] => (pinch.active ? pinch.pair(point) : [...pointers.values()]);

  surface.addEventListener('pointerdown', (event) => {
    if (
      event.button !== 0 ||
      !viewer.takesInput ||
      pointers.size >= 2 ||
      (pointers.size > 0 && event.pointerType === 'mouse')
    ) {
      return;
    }
    event.preventDefault();
    focus();
    surface.setPointerCapture(event.pointerId);
    const point = at(event);
    pointers.set(event.pointerId, point);
    pinch.begin(event, point);
    fingers.begin(touching(point));
  });

  surface.addEventListener('pointermove', (event) => {
    const point = at(event);
    pinch.move(event, point, { isDown: pointers.size > 0, isAllowed: viewer.takesInput });
    if (!pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, point);
    fingers.move(touching(point));
  });

  const leave = (event: PointerEvent, end: () => void): void => {
    if (!pointers.delete(event.pointerId)) return;
    end();
    pinch.end(event, at(event));
  };
  surface.addEventListener('pointerup', (event) => {
    if (!pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, at(event));
    const points = touching(at(event));
    // The finger that stays down after a gesture of two waits until it is lifted.
    leave(event, () => (fingers.down ? fingers.end(points) : undefined));
  });
  surface.addEventListener('pointercancel', (event) => leave(event, () => fingers.cancel()));
  surface.addEventListener('lostpointercapture', (event) => leave(event, () => fingers.cancel()));
  surface.addEventListener('pointerleave', () => {
    if (pointers.size === 0) pinch.hide();
  });
  addEventListener('keyup', ({ key }) => {
    if (key === 'Alt' && pointers.size === 0) pinch.hide();
  });
  addEventListener('blur', () => pinch.hide());

  surface.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    const back = viewer.ready?.capabilities.buttons.includes('back');
    // A long press on a touch screen raises this event as well: then a finger is down, and it means no mouse button.
    if (back && viewer.takesInput && pointers.size === 0) void viewer.act({ action: 'pressButton', button: 'back' });
  });
}
