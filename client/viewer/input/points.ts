import type { Point } from '@runcloud/protocol';

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const share = (value: number, start: number, size: number): number =>
  size > 0 ? Math.min(1, Math.max(0, (value - start) / size)) : 0;

/** Where a pointer of the page is on the display, as shares of its size; outside of it, the nearest place on its edge. */
export function pointIn({ left, top, width, height }: Box, clientX: number, clientY: number): Point {
  return { x: share(clientX, left, width), y: share(clientY, top, height) };
}

export const MIDDLE: Point = { x: 0.5, y: 0.5 };

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

/** The second finger of a pinch made with a mouse: the first one's mirror image. */
export function mirrored({ x, y }: Point, centre: Point): Point {
  return { x: clamp(2 * centre.x - x), y: clamp(2 * centre.y - y) };
}

export const moved = ({ x, y }: Point, by: Point): Point => ({ x: clamp(x + by.x), y: clamp(y + by.y) });
