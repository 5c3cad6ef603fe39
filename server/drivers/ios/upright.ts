import type { Orientation } from '@runcloud/protocol';
import type { RgbaPicture } from '../video/video-screen.ts';
import type { PanelSize } from './physical-point.ts';

/** True when the panel's pixels must be turned to be upright in this orientation. */
export function needsTurning({ width, height }: PanelSize, orientation: Orientation): boolean {
  if (orientation === 'portrait') return false;
  // A picture that lies has been turned by who made it. For half a turn the shape does not tell, and helpers do none.
  return orientation === 'portrait_upside_down' || width < height;
}

/** The panel's pixels as they are seen by a person who holds the device that way, in memory of their own. */
export function turned(panel: RgbaPicture, orientation: Orientation): RgbaPicture {
  const { width, height } = panel;
  const from = new Uint32Array(panel.pixels.buffer, panel.pixels.byteOffset, width * height);
  const to = new Uint32Array(width * height);
  const lying = orientation === 'landscape_left' || orientation === 'landscape_right';
  // Where the first pixel of the turned picture lies on the panel, and the way from one to the next.
  const [start, along, down] = {
    portrait: [0, 1, width],
    portrait_upside_down: [width * height - 1, -1, -width],
    landscape_left: [width * (height - 1), -width, 1],
    landscape_right: [width - 1, width, -1],
  }[orientation] as [number, number, number];
  const [columns, rows] = lying ? [height, width] : [width, height];
  let at = 0;
  for (let row = 0; row < rows; row++) {
    let source = start + row * down;
    for (let column = 0; column < columns; column++, source += along) to[at++] = from[source] ?? 0;
  }
  return { width: columns, height: rows, pixels: new Uint8Array(to.buffer) };
}
