import type { Orientation } from '@runcloud/protocol';
import type { Point } from '../../driver.ts';

/** How often the device was turned by 90° counter-clockwise: `Surface.ROTATION_*`, and the emulator's `SkinRotation`. */
export type QuarterTurns = 0 | 1 | 2 | 3;

const ORIENTATION_OF_TURNS: readonly Orientation[] = [
  'portrait',
  'landscape_left',
  'portrait_upside_down',
  'landscape_right',
];

export const orientationOf = (turns: QuarterTurns): Orientation => ORIENTATION_OF_TURNS[turns] ?? 'portrait';

export const turnsOf = (orientation: Orientation): QuarterTurns =>
  ORIENTATION_OF_TURNS.indexOf(orientation) as QuarterTurns;

/** The angle about the axis out of the screen that the emulator's sensors are to feel, in degrees. */
export const ANGLE_OF_TURNS: readonly number[] = [0, 90, 180, -90];

export interface DisplaySize {
  readonly width: number;
  readonly height: number;
}

/**
 * A point of the upright picture in pixels of the display as it is built: touch screens do not turn with the device.
 * @param display the size in the natural orientation
 */
export function toDisplayPixel({ x, y }: Point, turns: QuarterTurns, { width, height }: DisplaySize): Point {
  const [alongWidth, alongHeight] = (
    [
      [x, y],
      [1 - y, x],
      [1 - x, 1 - y],
      [y, 1 - x],
    ] as const
  )[turns];
  const clamp = (share: number, edge: number) => Math.min(edge - 1, Math.max(0, Math.floor(share * edge)));
  return { x: clamp(alongWidth, width), y: clamp(alongHeight, height) };
}
