import type { Orientation } from '@runcloud/protocol';
import type { Point } from '../../device/driver.ts';

/** Pixels of the display in portrait. */
export interface PanelSize {
  readonly width: number;
  readonly height: number;
}

/** Takes up the error of a sum such as 0.1 + 0.2 just under a pixel's edge. */
const EDGE_TOLERANCE = 1e-6;

/**
 * Where on the panel a point of the upright picture lies, as shares of the panel in portrait: touches of a simulator are
 * always told in that space, however it is turned. `landscape_left` has the panel's top on the right, as the interface
 * orientation of that name. The result is the centre of a pixel, so that rounding on the way cannot move it to the next.
 */
export function physicalPoint(point: Point, orientation: Orientation, panel: PanelSize): Point {
  const lying = orientation === 'landscape_left' || orientation === 'landscape_right';
  const x = pixelCentre(point.x, lying ? panel.height : panel.width);
  const y = pixelCentre(point.y, lying ? panel.width : panel.height);
  switch (orientation) {
    case 'portrait':
      return { x, y };
    case 'portrait_upside_down':
      return { x: 1 - x, y: 1 - y };
    case 'landscape_left':
      return { x: y, y: 1 - x };
    case 'landscape_right':
      return { x: 1 - y, y: x };
  }
}

/** 1 is the last pixel, as the protocol has it. */
function pixelCentre(share: number, size: number): number {
  return (Math.max(0, Math.min(size - 1, Math.floor(share * size + EDGE_TOLERANCE))) + 0.5) / size;
}
