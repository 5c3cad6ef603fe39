import type { Picture, Rect } from '../device/driver.ts';
import { type Clock, systemClock } from '../flow/clock.ts';

/** RGBA pixels, row by row, with the areas that changed since the previous version, if known. */
export type Pixels = Pick<Picture, 'pixels' | 'width' | 'height'> & Partial<Pick<Picture, 'version' | 'damage'>>;

/** Rows are cached for consecutive screenshots; the memory is freed after this time. */
const KEPT_MS = 2_000;

interface Kept {
  readonly memory: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/**
 * The rows of a PNG's image data: the filter byte, 0 for none, then red, green and blue of each pixel. The rows of the previous
 * picture are cached, so that only changes are copied.
 */
export class PngRows {
  readonly #clock: Clock;
  #kept: Kept | undefined;
  #version: number | undefined;
  #lent = false;
  #cancelTimer: () => void = () => undefined;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /**
   * The rows of this picture until they are returned; meanwhile other callers get separate rows. Throws if the number of pixels
   * does not match the size.
   */
  lend(picture: Pixels): Uint8Array {
    const { pixels, width, height, version } = picture;
    if (pixels.length !== width * height * 4)
      throw new Error(`${pixels.length} bytes are no ${width} × ${height} pixels`);
    if (this.#lent) return new PngRows(this.#clock).lend(picture);
    this.#cancelTimer();
    if (this.#kept?.width !== width || this.#kept.height !== height) {
      this.#kept = { memory: new Uint8Array(height * (1 + width * 3)), width, height };
      this.#version = undefined;
    }
    const { memory } = this.#kept;
    const changed = this.#changesTo(picture) ?? [{ x: 0, y: 0, width, height }];
    const view = new DataView(memory.buffer);
    const words = wordsOf(pixels);
    for (const rect of changed) copyRect(words, view, width, rect);
    this.#version = version;
    this.#lent = true;
    return memory;
  }

  giveBack(rows: Uint8Array): void {
    if (rows !== this.#kept?.memory) return;
    this.#lent = false;
    this.#cancelTimer = this.#clock.schedule(KEPT_MS, () => {
      this.#kept = undefined;
    });
  }

  /** The changes since the cached rows; `undefined` if versions in between are missing. */
  #changesTo({ version, damage }: Pixels): readonly Rect[] | undefined {
    if (version === undefined || this.#version === undefined) return undefined;
    if (version === this.#version) return [];
    return version === this.#version + 1 ? damage : undefined;
  }
}

/** One pixel per number, red in the lowest byte. */
function wordsOf(pixels: Uint8Array): Uint32Array {
  const fits = pixels.byteOffset % Uint32Array.BYTES_PER_ELEMENT === 0;
  const { buffer, byteOffset, length } = fits ? pixels : pixels.slice();
  return new Uint32Array(buffer, byteOffset, length / 4);
}

/** The size was checked. Four pixels become three words at a time; the rest of a row goes byte by byte. */
function copyRect(pixels: Uint32Array, rows: DataView, pictureWidth: number, { x, y, width, height }: Rect): void {
  for (let row = y; row < y + height; row++) {
    let from = row * pictureWidth + x;
    let to = row * (1 + pictureWidth * 3) + 1 + x * 3;
    let column = 0;
    for (; column + 4 <= width; column += 4) {
      const a = pixels[from++] as number;
      const b = pixels[from++] as number;
      const c = pixels[from++] as number;
      const d = pixels[from++] as number;
      rows.setUint32(to, (a & 0xff_ff_ff) | (b << 24), true);
      rows.setUint32(to + 4, ((b >>> 8) & 0xff_ff) | (c << 16), true);
      rows.setUint32(to + 8, ((c >>> 16) & 0xff) | (d << 8), true);
      to += 12;
    }
    for (; column < width; column++) {
      const pixel = pixels[from++] as number;
      rows.setUint8(to, pixel & 0xff);
      rows.setUint8(to + 1, (pixel >>> 8) & 0xff);
      rows.setUint8(to + 2, (pixel >>> 16) & 0xff);
      to += 3;
    }
  }
}
