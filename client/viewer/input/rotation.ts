import type { Orientation } from '@runcloud/protocol';

/** Each orientation is the one before, turned to the left by a quarter. */
const TO_THE_LEFT: readonly Orientation[] = ['portrait', 'landscape_left', 'portrait_upside_down', 'landscape_right'];

/** The next orientation in a direction, out of those that the device has. */
export function turned(from: Orientation, direction: 'left' | 'right', has: readonly Orientation[]): Orientation {
  const step = direction === 'left' ? 1 : 3;
  for (let turns = 1; turns < 4; turns += 1) {
    const next = TO_THE_LEFT[(TO_THE_LEFT.indexOf(from) + turns * step) % 4];
    if (next && has.includes(next)) return next;
  }
  return from;
}

/** Degrees by which the device has been turned, clockwise, since it was upright. */
export const DEGREES: Readonly<Record<Orientation, number>> = {
  portrait: 0,
  landscape_right: 90,
  portrait_upside_down: 180,
  landscape_left: -90,
};
