import { payloadMemory } from '../../link/packet-memory.ts';
import type { Size } from './fit.ts';

/** Markers of ITU-T T.81, table B.1; each comes after a byte of 0xff. */
const SOF0 = 0xc0;
const RST0 = 0xd0;
const EOI = 0xd9;
const SOS = 0xda;
const DRI = 0xdd;
const RESTARTS = 8;

/** A JPEG's headers up to the scan, and its entropy-coded data without the marker of its end. */
export function splitJpeg(image: Uint8Array): { readonly head: Uint8Array; readonly data: Uint8Array } {
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength);
  for (let at = 2; at + 4 <= image.length; at += 2 + view.getUint16(at + 2)) {
    if (view.getUint8(at) !== 0xff) break;
    if (view.getUint8(at + 1) !== SOS) continue;
    const scan = at + 2 + view.getUint16(at + 2);
    return { head: image.subarray(0, scan), data: image.subarray(scan, image.length - 2) };
  }
  throw new Error('the encoder gave no JPEG with a scan');
}

/**
 * One JPEG of bands that were compressed by themselves with the same tables: a restart interval each (T.81, E.1.4), as
 * both begin without knowledge of what is above.
 * @param head of one of them
 * @param rows of each band but the last; a multiple of `blockPixels`
 * @param blockPixels of a coded block, each way
 */
export function joinBands(
  head: Uint8Array,
  { width, height }: Size,
  rows: number,
  blockPixels: number,
  bands: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const interval = Math.ceil(width / blockPixels) * (rows / blockPixels);
  const restart = Uint8Array.of(0xff, DRI, 0, 4, interval >> 8, interval & 0xff);
  const start = 2;
  const bytes = head.length + restart.length + bands.reduce((sum, { length }) => sum + length + 2, 0);
  const image = payloadMemory(bytes);
  image.set(head.subarray(0, start));
  image.set(restart, start);
  image.set(head.subarray(start), start + restart.length);
  setHeight(image, height);
  let at = head.length + restart.length;
  for (const [index, data] of bands.entries()) {
    image.set(data, at);
    at += data.length;
    image[at++] = 0xff;
    image[at++] = index === bands.length - 1 ? EOI : RST0 + (index % RESTARTS);
  }
  return image;
}

/** Writes the picture's height into its frame header (T.81, B.2.2). */
function setHeight(image: Uint8Array, height: number): void {
  const view = new DataView(image.buffer, image.byteOffset);
  for (let at = 2; view.getUint8(at + 1) !== SOS; at += 2 + view.getUint16(at + 2)) {
    if (view.getUint8(at + 1) === SOF0) return view.setUint16(at + 5, height);
  }
  throw new Error('the JPEG has no frame header');
}
