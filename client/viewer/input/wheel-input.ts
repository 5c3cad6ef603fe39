import type { Viewer } from '../viewer.ts';
import { pointIn } from './points.ts';

/** Pixels of one line of a wheel that counts in lines. */
const LINE_PIXELS = 16;

const within = (value: number): number => Math.min(1, Math.max(-1, value));

/**
 * The wheel as scroll actions, anchored where the pointer is. One is under way at a time; what is turned meanwhile is
 * added up, so that scrolling stops when the hand does.
 */
export function takeWheel(viewer: Viewer, surface: HTMLElement): void {
  let deltaX = 0;
  let deltaY = 0;
  let busy = false;
  let anchor = { x: 0.5, y: 0.5 };

  const scroll = async (): Promise<void> => {
    busy = true;
    while (deltaX !== 0 || deltaY !== 0) {
      const request = { action: 'scroll', deltaX: within(deltaX), deltaY: within(deltaY), ...anchor };
      deltaX = 0;
      deltaY = 0;
      const { ok } = await viewer.act(request);
      if (!ok) break;
    }
    busy = false;
  };

  surface.addEventListener(
    'wheel',
    (event) => {
      // With Control it is the page's own zoom, which belongs to the person.
      if (event.ctrlKey || !viewer.takesInput) return;
      event.preventDefault();
      const box = surface.getBoundingClientRect();
      const unit =
        event.deltaMode === WheelEvent.DOM_DELTA_LINE
          ? LINE_PIXELS
          : event.deltaMode === WheelEvent.DOM_DELTA_PAGE
            ? box.height
            : 1;
      anchor = pointIn(box, event.clientX, event.clientY);
      deltaX += (event.deltaX * unit) / box.width;
      deltaY += (event.deltaY * unit) / box.height;
      if (!busy) void scroll();
    },
    { passive: false },
  );
}
