import type { Picture, Rect } from '../../device/driver.ts';
import { isOtherScreen, type Sight } from './sight.ts';

/** Pixels of an edge of a cell; that of the blocks by which video is encoded. */
const CELL = 8;
/** Means that differ by no more, out of 255, are the same to an encoder, which goes on refining a screen that stands still. */
const NOISE_MAX = 6;

/** What is remembered of a picture that came as video: how light each cell is. */
export class CoarseCopy implements Sight {
  readonly version: number;
  readonly width: number;
  readonly height: number;
  readonly orientation: Picture['orientation'];
  readonly display: string | undefined;
  inputSeq: number;
  readonly #across: number;
  readonly #means: Uint8Array;

  constructor({ pixels, width, height, orientation, display, version, inputSeq }: Picture) {
    this.version = version;
    this.width = width;
    this.height = height;
    this.orientation = orientation;
    this.display = display;
    this.inputSeq = inputSeq;
    this.#across = Math.ceil(width / CELL);
    this.#means = meansOf(pixels, width, height, this.#across);
  }

  seenAgain(inputSeq: number): void {
    this.inputSeq = inputSeq;
  }

  differing(now: Sight, without: readonly Rect[] = []): Rect | undefined {
    if (now.version === this.version) return undefined;
    const { width, height } = now;
    // The pictures of one device come in one way.
    if (isOtherScreen(this, now) || !(now instanceof CoarseCopy)) return { x: 0, y: 0, width, height };
    let [left, top, right, bottom] = [width, height, 0, 0];
    for (let cell = 0; cell < this.#means.length; cell++) {
      if (Math.abs((this.#means[cell] as number) - (now.#means[cell] as number)) <= NOISE_MAX) continue;
      const [x, y] = [(cell % this.#across) * CELL, Math.floor(cell / this.#across) * CELL];
      if (without.some((area) => touches(area, x, y))) continue;
      left = Math.min(left, x);
      top = Math.min(top, y);
      right = Math.max(right, Math.min(width, x + CELL));
      bottom = Math.max(bottom, Math.min(height, y + CELL));
    }
    return right > left ? { x: left, y: top, width: right - left, height: bottom - top } : undefined;
  }
}

const touches = (area: Rect, x: number, y: number): boolean =>
  x < area.x + area.width && x + CELL > area.x && y < area.y + area.height && y + CELL > area.y;

function meansOf(pixels: Uint8Array, width: number, height: number, across: number): Uint8Array {
  const down = Math.ceil(height / CELL);
  const sums = new Uint32Array(across * down);
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor(y / CELL) * across;
    for (let x = 0; x < width; x++, at += 4) {
      const cell = row + (x >> 3);
      sums[cell] =
        (sums[cell] as number) + (pixels[at] as number) + (pixels[at + 1] as number) + (pixels[at + 2] as number);
    }
  }
  return Uint8Array.from(sums, (sum, cell) => {
    const wide = Math.min(CELL, width - (cell % across) * CELL);
    const high = Math.min(CELL, height - Math.floor(cell / across) * CELL);
    return Math.round(sum / (3 * wide * high));
  });
}
