import { distance, type Pixel } from '../geometry.ts';

export const GESTURE_KINDS = ['tap', 'longPress', 'swipe', 'drag', 'pinch', 'twoFinger'] as const;
export type GestureKind = (typeof GESTURE_KINDS)[number];

/** A touch of one or two fingers, from coming down to leaving. */
export interface Gesture {
  readonly kind: GestureKind;
  readonly durationMs: number;
  readonly pointerCount: number;
  /** Start of the first pointer, in pixels. */
  readonly from: Pixel;
  readonly to: Pixel;
}

const LONG_PRESS_MS = 500;
/** A longer movement counts as a drag. */
const SWIPE_MS_MAX = 600;
/** Minimum relative change of the distance between two fingers of a pinch. */
const PINCH_RATIO = 0.15;

/** The movement of one pointer. */
export interface Track {
  readonly from: Pixel;
  readonly to: Pixel;
  /** Maximum distance from the start, in pixels. */
  readonly reach: number;
}

/** Classifies a finished gesture; `slop` is the movement of a finger that still counts as at rest, in pixels. */
export function classify(tracks: readonly Track[], durationMs: number, slop: number): Gesture | undefined {
  const [first, second] = tracks;
  if (!first) return undefined;
  const rest = { durationMs: Math.round(durationMs), pointerCount: tracks.length, from: first.from, to: first.to };
  if (second) {
    const before = distance(first.from, second.from);
    const after = distance(first.to, second.to);
    const pinched = Math.abs(after - before) > Math.max(slop, before * PINCH_RATIO);
    return { kind: pinched ? 'pinch' : 'twoFinger', ...rest };
  }
  if (first.reach <= slop) return { kind: durationMs >= LONG_PRESS_MS ? 'longPress' : 'tap', ...rest };
  return { kind: durationMs <= SWIPE_MS_MAX ? 'swipe' : 'drag', ...rest };
}
