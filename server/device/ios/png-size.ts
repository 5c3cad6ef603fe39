import type { PanelSize } from './physical-point.ts';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const HEADER_BYTES = 33;
const END = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);
const EDGE_MAX = 4_096;

/** The size of a PNG picture in pixels, by its first chunk (RFC 2083, 4.1.1); `undefined` for half of one, or anything else. */
export function pngSize(bytes: Buffer): PanelSize | undefined {
  if (bytes.length < HEADER_BYTES || Buffer.compare(bytes.subarray(0, SIGNATURE.length), SIGNATURE) !== 0)
    return undefined;
  if (bytes.toString('latin1', 12, 16) !== 'IHDR' || Buffer.compare(bytes.subarray(-END.length), END) !== 0)
    return undefined;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return width > 0 && height > 0 && Math.max(width, height) <= EDGE_MAX ? { width, height } : undefined;
}
