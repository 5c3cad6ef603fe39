import jpeg from '@julusian/jpeg-turbo';
import { TILE_HEAD_BYTES, writeTileHead } from '@runcloud/protocol/terms';
import type { Picture, Rect } from '../../device/driver.ts';
import type { ScreenProfile } from '../../link/messages.ts';
import { payloadMemory } from '../../link/packet-memory.ts';
import { PictureChanges } from '../picture-changes.ts';
import { FULL_CHROMA } from './chroma.ts';
import { fit, type Size, sameSize } from './fit.ts';
import { JpegEncoder } from './jpeg-encoder.ts';
import type { EncodedPicture, PictureEncoder } from './picture-encoder.ts';
import { planTiles } from './plan-tiles.ts';
import { ScaledPixels } from './scaled-pixels.ts';

/** The pixels that are encoded: those of the device, or scaled ones. */
interface Pixels extends Size {
  readonly bytes: Uint8Array;
  readonly bytesPerPixel: number;
  readonly format: number;
}

/**
 * JPEGs of what changed alone (protocol/README.md, section 10.1): what a small change costs does not depend on the size of the screen.
 * They have their colours in full. With halved ones each area would need the blocks around it, whose colours decoders blend with its own:
 * that is twice the work for a mark with two lines across the screen.
 * A key picture, and one that has changed in large parts, is a single tile of the whole.
 */
export class TilesEncoder implements PictureEncoder {
  readonly repeatsCheaply = true;
  readonly #maxLongEdge: number | undefined;
  readonly #quality: number;
  readonly #whole: JpegEncoder;
  readonly #scaled = new ScaledPixels();
  readonly #changes = new PictureChanges();
  #source: Size = { width: 0, height: 0 };
  #reading: Promise<void> | undefined;
  #raw = Buffer.alloc(0);
  #scratch = Buffer.alloc(0);

  constructor(profile: ScreenProfile) {
    this.#maxLongEdge = profile.maxLongEdge;
    this.#quality = profile.quality;
    this.#whole = new JpegEncoder(profile, FULL_CHROMA);
  }

  get reading(): Promise<void> | undefined {
    return this.#reading;
  }

  encode(picture: Picture, key: boolean): EncodedPicture | Promise<EncodedPicture> {
    const size = fit(picture, this.#maxLongEdge);
    const changes = this.#changes.upTo(picture);
    const changed = key || !sameSize(this.#source, picture) ? undefined : changes;
    this.#source = { width: picture.width, height: picture.height };
    const isScaled = !sameSize(size, picture);
    const tiles =
      changed && planTiles(isScaled ? changed.map((rect) => scaledRect(rect, picture, size)) : changed, size);
    if (!tiles) return this.#encodeWhole(picture);
    this.#reading = undefined;
    if (isScaled && tiles.length > 0) return this.#encodeScaled(picture, size, tiles);
    const { pixels: bytes } = picture;
    return this.#encodeTiles({ ...size, bytes, bytesPerPixel: 4, format: jpeg.FORMAT_RGBA }, tiles);
  }

  close(): void {
    this.#whole.close();
    this.#scaled.close();
  }

  async #encodeWhole(picture: Picture): Promise<EncodedPicture> {
    const encoding = this.#whole.encode(picture);
    this.#reading = this.#whole.reading;
    const { width, height, payload: image } = await encoding;
    const payload = payloadMemory(TILE_HEAD_BYTES + image.byteLength);
    writeTileHead(payload, { x: 0, y: 0, width, height }, image.byteLength);
    payload.set(image, TILE_HEAD_BYTES);
    return { key: true, width, height, payload };
  }

  async #encodeScaled(picture: Picture, size: Size, tiles: readonly Rect[]): Promise<EncodedPicture> {
    const encoding = this.#scaled.with(picture, size, (bytes) =>
      this.#encodeTiles({ ...size, bytes, bytesPerPixel: 3, format: jpeg.FORMAT_RGB }, tiles),
    );
    this.#reading = this.#scaled.reading;
    return encoding;
  }

  /** On this thread: they are at most half of a picture, and mostly so small that waking another thread would take longer. */
  #encodeTiles(pixels: Pixels, tiles: readonly Rect[]): EncodedPicture {
    const { width, height } = pixels;
    const images = tiles.map((tile) => Buffer.from(this.#compress(pixels, tile)));
    const payload = payloadMemory(images.reduce((sum, { byteLength }) => sum + TILE_HEAD_BYTES + byteLength, 0));
    let at = 0;
    for (const [index, tile] of tiles.entries()) {
      const image = images[index] as Buffer;
      writeTileHead(payload.subarray(at), tile, image.byteLength);
      payload.set(image, at + TILE_HEAD_BYTES);
      at += TILE_HEAD_BYTES + image.byteLength;
    }
    return { key: false, width, height, payload };
  }

  /** The part of the picture as a JPEG, valid until the next call. */
  #compress({ bytes, width, bytesPerPixel, format }: Pixels, part: Rect): Buffer {
    const rowBytes = part.width * bytesPerPixel;
    const rawBytes = rowBytes * part.height;
    if (this.#raw.length < rawBytes) this.#raw = Buffer.allocUnsafeSlow(rawBytes);
    for (let row = 0; row < part.height; row++) {
      const from = ((part.y + row) * width + part.x) * bytesPerPixel;
      this.#raw.set(bytes.subarray(from, from + rowBytes), row * rowBytes);
    }
    const size = { width: part.width, height: part.height };
    const options = { ...size, format, quality: this.#quality, subsampling: FULL_CHROMA.subsampling };
    const bytesMax = jpeg.bufferSize(options);
    if (this.#scratch.length < bytesMax) this.#scratch = Buffer.allocUnsafeSlow(bytesMax);
    return jpeg.compressSync(this.#raw, this.#scratch, options);
  }
}

/** Pixels around a scaled area that a changed pixel of the picture can reach: each scaled pixel is the mean of what it covers. */
const REACH = 1;

/** The area of the scaled picture that shows an area of the picture. */
function scaledRect({ x, y, width, height }: Rect, from: Size, to: Size): Rect {
  const across = to.width / from.width;
  const down = to.height / from.height;
  const left = Math.floor(x * across) - REACH;
  const top = Math.floor(y * down) - REACH;
  return {
    x: left,
    y: top,
    width: Math.ceil((x + width) * across) + REACH - left,
    height: Math.ceil((y + height) * down) + REACH - top,
  };
}
