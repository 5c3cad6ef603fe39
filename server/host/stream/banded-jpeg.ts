import jpeg from '@julusian/jpeg-turbo';
import type { Rect } from '../../device/driver.ts';
import { Turns } from '../../flow/turns.ts';
import type { Size } from './fit.ts';
import { joinBands, splitJpeg } from './jpeg-bands.ts';
import { ownBytes } from './shrink.ts';

/** Rows of a band: few enough that a small change costs little, enough that 20 bands cost no more than one picture. */
const BAND_ROWS = 64;
const BYTES_PER_PIXEL = 4;

/**
 * One JPEG after the other of a screen of one size, each made anew only where it changed: bands of rows are compressed by
 * themselves, in 0.07 ms for 590×64, and kept until they change. A decoder sees one picture with restart markers.
 */
export class BandedJpeg {
  readonly size: Size;
  readonly #quality: number;
  readonly #scratch: Buffer;
  /** The entropy-coded data of each band. */
  readonly #bands: (Uint8Array | undefined)[];
  #head: Uint8Array | undefined;

  constructor(size: Size, quality: number) {
    this.size = size;
    this.#quality = quality;
    this.#bands = Array.from({ length: Math.ceil(size.height / BAND_ROWS) }, () => undefined);
    this.#scratch = Buffer.allocUnsafeSlow(jpeg.bufferSize(this.#options(BAND_ROWS)));
  }

  /**
   * The picture as one JPEG, in memory of its own. The pixels may change when it settles.
   * @param pixels RGBA
   * @param changed what differs from the picture before; `undefined` when that is not known
   */
  async encode(pixels: Uint8Array, changed: readonly Rect[] | undefined): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
    const turns = new Turns();
    for (const [band, kept] of this.#bands.entries()) {
      if (kept && changed && !changed.some((rect) => touches(rect, band))) continue;
      if (turns.over) await turns.next();
      this.#compress(bytes, band);
    }
    if (!this.#head) throw new Error('the picture has no bands');
    return joinBands(this.#head, this.size, BAND_ROWS, this.#bands as readonly Uint8Array[]);
  }

  #compress(pixels: Buffer, band: number): void {
    const rowBytes = this.size.width * BYTES_PER_PIXEL;
    const top = band * BAND_ROWS;
    const rows = Math.min(BAND_ROWS, this.size.height - top);
    const source = pixels.subarray(top * rowBytes, (top + rows) * rowBytes);
    const { head, data } = splitJpeg(jpeg.compressSync(source, this.#scratch, this.#options(rows)));
    this.#head ??= ownBytes(head);
    this.#bands[band] = ownBytes(data);
  }

  #options(height: number) {
    const { width } = this.size;
    return { width, height, format: jpeg.FORMAT_RGBA, quality: this.#quality, subsampling: jpeg.SAMP_420 };
  }
}

const touches = ({ y, height }: Rect, band: number): boolean =>
  height > 0 && y < (band + 1) * BAND_ROWS && y + height > band * BAND_ROWS;
