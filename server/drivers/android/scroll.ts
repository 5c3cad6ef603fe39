import type { Point } from '../../device/driver.ts';

/** A finger stays this far from the edges, where the system has gestures of its own. */
const MARGIN = 0.06;
/** Slow enough that the content stops with the finger: this long for a whole display. */
const DISPLAY_MS = 900;
const DRAG_MS_MIN = 120;
/** A way that is shorter is not worth a drag of its own. */
const WAY_MIN = 0.02;

export interface Drag {
  readonly from: Point;
  readonly to: Point;
  readonly durationMs: number;
}

/**
 * The drags that scroll by a share of the display: a positive `deltaY` moves the content up, and so the finger. All of them
 * begin at the anchor; a way that is longer than the room on that side is gone in several.
 */
export function scrollDrags(anchor: Point, deltaX: number, deltaY: number): Drag[] {
  const inside = (share: number) => Math.min(1 - MARGIN, Math.max(MARGIN, share));
  const from = { x: inside(anchor.x), y: inside(anchor.y) };
  const roomX = room(from.x, -deltaX);
  const roomY = room(from.y, -deltaY);
  const count = Math.min(20, Math.max(1, Math.ceil(Math.abs(deltaX) / roomX), Math.ceil(Math.abs(deltaY) / roomY)));
  const [stepX, stepY] = [-deltaX / count, -deltaY / count];
  const durationMs = Math.round(Math.max(DRAG_MS_MIN, Math.hypot(stepX, stepY) * DISPLAY_MS));
  const drag = { from, to: { x: from.x + stepX, y: from.y + stepY }, durationMs };
  return Array.from({ length: count }, () => drag);
}

const room = (at: number, way: number): number => Math.max(WAY_MIN, way > 0 ? 1 - MARGIN - at : at - MARGIN);
