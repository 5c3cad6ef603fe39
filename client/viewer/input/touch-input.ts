import type { Point } from '@runcloud/protocol';
import type { Viewer } from '../viewer.ts';
import { LiveTouch } from './live-touch.ts';
import { MIDDLE, mirrored, moved, pointIn } from './points.ts';

export interface TouchOptions {
  readonly viewer: Viewer;
  /** Takes the pointer's events; covers the picture exactly. */
  readonly surface: HTMLElement;
  /** Shows where the fingers of a pinch by mouse are; an empty list shows none. */
  readonly showFingers: (points: readonly Point[], pressed: boolean) => void;
}

/** Touch, pen and mouse on the screen. With Alt a mouse is two fingers, with Alt and Shift two that move together. */
export function takeTouches({ viewer, surface, showFingers }: TouchOptions): void {
  const fingers = new LiveTouch(viewer, (callback) => requestAnimationFrame(callback));
  /** Where each pointer of the gesture is, in the order in which they came. */
  const pointers = new Map<number, Point>();
  let centre = MIDDLE;
  let pinch = false;
  let last = MIDDLE;

  const at = (event: PointerEvent): Point => pointIn(surface.getBoundingClientRect(), event.clientX, event.clientY);
  const pair = (point: Point): Point[] => [point, mirrored(point, centre)];
  const pinches = (event: PointerEvent): boolean => event.altKey && viewer.ready?.capabilities.fingers !== 1;
  const allowed = (): boolean => viewer.role === 'control' && viewer.state.kind === 'connected';

  surface.addEventListener('pointerdown', (event) => {
    if (
      event.button !== 0 ||
      !allowed() ||
      pointers.size >= 2 ||
      (pointers.size > 0 && event.pointerType === 'mouse')
    ) {
      return;
    }
    event.preventDefault();
    surface.focus({ preventScroll: true });
    surface.setPointerCapture(event.pointerId);
    const point = at(event);
    pointers.set(event.pointerId, point);
    pinch = event.pointerType === 'mouse' && pinches(event);
    if (pinch) {
      showFingers(pair(point), true);
      fingers.begin(pair(point));
    } else {
      fingers.begin([...pointers.values()]);
    }
  });

  surface.addEventListener('pointermove', (event) => {
    const point = at(event);
    const by = { x: point.x - last.x, y: point.y - last.y };
    last = point;
    if (event.pointerType === 'mouse' && allowed()) {
      const two = pointers.size > 0 ? pinch : pinches(event);
      // Two fingers that move together keep their distance: the middle between them goes along.
      if (two && event.shiftKey) centre = moved(centre, by);
      if (!two && pointers.size === 0) centre = MIDDLE;
      showFingers(two ? pair(point) : [], pointers.size > 0);
    }
    if (!pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, point);
    fingers.move(pinch ? pair(point) : [...pointers.values()]);
  });

  const leave = (event: PointerEvent, end: () => void): void => {
    if (!pointers.delete(event.pointerId)) return;
    end();
    if (pinch) showFingers(event.altKey ? pair(at(event)) : [], false);
    pinch = false;
  };
  surface.addEventListener('pointerup', (event) => {
    if (!pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, at(event));
    const points = pinch ? pair(at(event)) : [...pointers.values()];
    // The finger that stays down after a gesture of two waits until it is lifted.
    leave(event, () => (fingers.down ? fingers.end(points) : undefined));
  });
  surface.addEventListener('pointercancel', (event) => leave(event, () => fingers.cancel()));
  surface.addEventListener('lostpointercapture', (event) => leave(event, () => fingers.cancel()));
  surface.addEventListener('pointerleave', () => {
    if (pointers.size === 0) showFingers([], false);
  });
  addEventListener('keyup', ({ key }) => {
    if (key === 'Alt' && pointers.size === 0) showFingers([], false);
  });
  addEventListener('blur', () => {
    showFingers([], false);
  });

  surface.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    const back = viewer.ready?.capabilities.buttons.includes('back');
    // A long press on a touch screen raises this event as well: then a finger is down, and it means no mouse button.
    if (back && allowed() && pointers.size === 0) void viewer.interact({ action: 'pressButton', button: 'back' });
  });
}
