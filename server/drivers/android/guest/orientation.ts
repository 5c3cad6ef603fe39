import type { Orientation } from '@runcloud/protocol';
import type { Point } from '../../../device/driver.ts';

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
 * The pixel of the display as it is built that lies under a point of the upright picture: touch screens do not turn with
 * the device. Points are first made pixels of the picture, so that each of those has one of the display.
 * @param display the size in the natural orientation
 */
export function toDisplayPixel({ x, y }: Point, turns: QuarterTurns, { width, height }: DisplaySize): Point {
  const lying = turns === 1 || turns === 3;
  const across = pixel(x, lying ? height : width);
  const down = pixel(y, lying ? width : height);
  switch (turns) {
    case 0:
      return { x: across, y: down };
    case 1:
      return { x: width - 1 - down, y: across };
    case 2:
      return { x: width - 1 - across, y: height - 1 - down };
    case 3:
      return { x: down, y: height - 1 - across };
  }
}

/**
 * The way back: the pixel of the upright picture that shows a pixel of the display as it is built.
 * @param display the size in the natural orientation
 */
export function toUprightPixel({ x, y }: Point, turns: QuarterTurns, { width, height }: DisplaySize): Point {
  switch (turns) {
    case 0:
      return { x, y };
    case 1:
      return { x: y, y: width - 1 - x };
    case 2:
      return { x: width - 1 - x, y: height - 1 - y };
    case 3:
      return { x: height - 1 - y, y: x };
  }
}

/** The size of the upright picture of a display that is turned. */
export const uprightSize = ({ width, height }: DisplaySize, turns: QuarterTurns): DisplaySize =>
  turns === 1 || turns === 3 ? { width: height, height: width } : { width, height };

/** Takes up the error of a sum such as 0.5 - 0.4 just under a pixel's edge. */
const EDGE_TOLERANCE = 1e-6;

/** The pixel of an edge that a share of it lies in. */
export const pixel = (share: number, edge: number): number =>
  Math.min(edge - 1, Math.max(0, Math.floor(share * edge + EDGE_TOLERANCE)));
