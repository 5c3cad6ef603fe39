import type { Point, Rect } from '../device/driver.ts';

/** A point of the picture or of a part of it, in whole pixels. */
export interface Pixel {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Tolerates rounding: a sum such as 0.1 + 0.2 may fall just short of a pixel's edge. */
const EDGE_TOLERANCE = 1e-6;

/** The pixel under a normalised coordinate: 0 is the first and 1 the last of `size`. */
export function pixelIndex(value: number, size: number): number {
  return Math.max(0, Math.min(size - 1, Math.floor(value * size + EDGE_TOLERANCE)));
}

export function pixelOf(point: Point, size: Size): Pixel {
  return { x: pixelIndex(point.x, size.width), y: pixelIndex(point.y, size.height) };
}

export function rect(x: number, y: number, width: number, height: number): Rect {
  return { x, y, width, height };
}

export function contains(area: Rect, pixel: Pixel): boolean {
  return pixel.x >= area.x && pixel.y >= area.y && pixel.x < area.x + area.width && pixel.y < area.y + area.height;
}

/** The area without `by` pixels on each side. */
export function inset(area: Rect, by: number): Rect {
  return rect(area.x + by, area.y + by, area.width - 2 * by, area.height - 2 * by);
}

export function centre(area: Rect): Pixel {
  return { x: Math.round(area.x + area.width / 2), y: Math.round(area.y + area.height / 2) };
}

export function distance(a: Pixel, b: Pixel): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
