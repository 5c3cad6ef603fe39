import type { Viewer } from '../viewer.ts';
import type { ScreenStream } from './screen-stream.ts';

/** Displays up to this long edge, in pixels, are always streamed in full: there is little to save. */
const SMALL_DISPLAY = 1_600;

/** Shares of a display's size that are asked for: few, since viewers with the same share one encoder. */
const SHARES = [0.5, 0.75];

/**
 * The `maxLongEdge` of a stream whose picture is shown with a long edge of `shownPixels` of the viewer's own screen; `undefined`
 * for the whole size. A picture is never asked for smaller than it is shown.
 *
 * @param displayPixels the long edge of the device's display
 */
export function longEdgeFor(shownPixels: number, displayPixels: number): number | undefined {
  if (displayPixels <= SMALL_DISPLAY || shownPixels === 0) return undefined;
  const share = SHARES.find((one) => Math.ceil(displayPixels * one) >= shownPixels);
  return share === undefined ? undefined : Math.ceil(displayPixels * share);
}

/** A window is resized in many steps. */
const REST_MS = 400;

/** Asks for a stream as large as its picture is shown, on a large display. */
export class PictureSize {
  readonly #viewer: Viewer;
  readonly #screen: Pick<ScreenStream, 'boundBy' | 'refresh'>;
  #shownPixels = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(viewer: Viewer, screen: Pick<ScreenStream, 'boundBy' | 'refresh'>) {
    this.#viewer = viewer;
    this.#screen = screen;
    screen.boundBy(() => {
      const maxLongEdge = longEdgeFor(this.#shownPixels, this.#displayPixels);
      return maxLongEdge === undefined ? {} : { maxLongEdge };
    });
  }

  /** The picture is now shown with this long edge, in pixels of the viewer's own screen. */
  shown(longEdgePixels: number): void {
    if (longEdgePixels === this.#shownPixels) return;
    this.#shownPixels = longEdgePixels;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#screen.refresh(), REST_MS);
  }

  /** The share that a picture with this long edge is of the display; 1 where that is not known. */
  shareOf(longEdgePixels: number): number {
    return this.#displayPixels === 0 ? 1 : longEdgePixels / this.#displayPixels;
  }

  /** The long edge of the device's display; 0 while it is not known, and for one of several displays. */
  get #displayPixels(): number {
    const device = this.#viewer.ready?.session.device;
    return device === undefined || device.displays !== undefined ? 0 : Math.max(device.width, device.height);
  }
}
