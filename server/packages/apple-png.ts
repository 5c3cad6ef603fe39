import { inflateRawSync } from 'node:zlib';
import { PackageFault } from '../archive/package-fault.ts';

/**
 * Apple's own kind of PNG, which Xcode makes of every picture in an iOS app: a chunk `CgBI` comes first, the data is
 * deflated without zlib's frame, and the pixels are blue, green, red and alpha, multiplied with their alpha.
 */
export interface ApplePicture {
  readonly width: number;
  readonly height: number;
  /** RGBA, not premultiplied. */
  readonly pixels: Buffer;
}

const SIGNATURE_BYTES = 8;
const CHANNELS = 4;
const COLOUR_WITH_ALPHA = 6;

export const isApplePng = (file: Buffer): boolean => file.toString('latin1', 12, 16) === 'CgBI';

/** Throws `PackageFault` for what is not such a picture, or one of more than `pixelsMax` pixels. */
export function readApplePng(file: Buffer, pixelsMax: number): ApplePicture {
  const refuse = () => new PackageFault('The icon is not a valid PNG of the kind that Xcode writes.');
  const parts: Buffer[] = [];
  let header: Buffer | undefined;
  for (let at = SIGNATURE_BYTES; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    if (at + 12 + length > file.length) throw refuse();
    const content = file.subarray(at + 8, at + 8 + length);
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'IHDR') header = content;
    if (type === 'IDAT') parts.push(content);
    at += 12 + length;
  }
  if (!header || header.length < 13) throw refuse();
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colour, interlace] = [header.readUInt8(8), header.readUInt8(9), header.readUInt8(12)];
  if (width * height === 0 || width * height > pixelsMax) throw refuse();
  if (depth !== 8 || colour !== COLOUR_WITH_ALPHA || interlace !== 0) throw refuse();
  const size = (width * CHANNELS + 1) * height;
  const filtered = inflateRawSync(Buffer.concat(parts), { maxOutputLength: size });
  if (filtered.length < size) throw refuse();
  const pixels = unfilter(filtered, width, height);
  toPlainColours(pixels);
  return { width, height, pixels };
}

/** Undoes the row filters (PNG specification, section 9). */
function unfilter(filtered: Buffer, width: number, height: number): Buffer {
  const stride = width * CHANNELS;
  const pixels = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = filtered[row * (stride + 1)] ?? 0;
    const source = row * (stride + 1) + 1;
    const target = row * stride;
    for (let index = 0; index < stride; index++) {
      const left = index < CHANNELS ? 0 : (pixels[target + index - CHANNELS] ?? 0);
      const above = row === 0 ? 0 : (pixels[target + index - stride] ?? 0);
      const corner = row === 0 || index < CHANNELS ? 0 : (pixels[target + index - stride - CHANNELS] ?? 0);
      pixels[target + index] = (filtered[source + index] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return pixels;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const estimate = left + above - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - above), Math.abs(estimate - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

function toPlainColours(pixels: Buffer): void {
  for (let at = 0; at < pixels.length; at += CHANNELS) {
    const alpha = pixels[at + 3] ?? 0;
    const plain = (value: number) => (alpha === 0 ? 0 : Math.min(255, Math.round((value * 255) / alpha)));
    const [blue, green, red] = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
    pixels[at] = plain(red);
    pixels[at + 1] = plain(green);
    pixels[at + 2] = plain(blue);
  }
}
