import { distance, type Pixel } from '../geometry.ts';

export type GestureKind = 'tap' | 'longPress' | 'swipe' | 'drag' | 'pinch' | 'twoFinger';

/** A touch of one or two fingers, from coming down to leaving. */
export interface Gesture {
  readonly kind: GestureKind;
  readonly durationMs: number;
  readonly pointerCount: number;
  /** Of the first pointer, in pixels. */
  readonly from: Pixel;
  readonly to: Pixel;
}

const LONG_PRESS_MS = 500;
/** A longer movement counts as a drag. */
const SWIPE_MS_MAX = 600;
/** Change of the distance between two fingers that makes a pinch. */
const PINCH_RATIO = 0.15;

/** The way of one pointer. */
export interface Track {
  readonly from: Pixel;
  readonly to: Pixel;
  /** Farthest that the pointer was from where it began, in pixels. */
  readonly reach: number;
}

/** Names a finished gesture; `slop` is how far a resting finger may stray, in pixels. */
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
