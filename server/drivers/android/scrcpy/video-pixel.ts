import type { Point } from '../../../device/driver.ts';
import type { PictureSize } from '../../video/video-source.ts';

/** Takes up the error of the server's division, which cuts fractions off. */
const EDGE_TOLERANCE = 1e-3;
/** An encoder rounds edges to multiples of eight, and may have to scale: the form stays, but for this share. */
const FORM_SLACK = 0.02;

/**
 * The pixel of the video that scrcpy's server takes for a pixel of the display: it multiplies by the display's edge, divides
 * by the video's, and cuts the fraction off. A video that is smaller than the display has not one for each.
 * @param at a pixel of the display as it is turned
 * @param display its size as it is turned
 */
export function videoPixel(at: Point, display: PictureSize, video: PictureSize): Point {
  return { x: scaled(at.x, display.width, video.width), y: scaled(at.y, display.height, video.height) };
}

function scaled(at: number, from: number, to: number): number {
  if (from === to) return at;
  return Math.min(to - 1, Math.ceil(((at + EDGE_TOLERANCE) * to) / from));
}

/**
 * True when a video can show a display of this size, both as they are turned. A phone that unfolds has another size.
 */
export const isOfForm = (video: PictureSize, display: PictureSize): boolean =>
  Math.abs((video.width * display.height) / (video.height * display.width) - 1) <= FORM_SLACK;
