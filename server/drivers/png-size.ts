import { DeviceFault } from '../device/fault.ts';
import type { PictureSize } from './video/video-source.ts';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const HEADER_BYTES = 33;
const END = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);
const EDGE_MAX = 8_192;

/**
 * The size of a screenshot in pixels, by its first chunk (RFC 2083, 4.1.1). Throws a `nonsense` fault for half of a PNG, or
 * anything else.
 */
export function pngSize(bytes: Buffer): PictureSize {
  const begins = bytes.length >= HEADER_BYTES && SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length));
  const whole = begins && bytes.toString('latin1', 12, 16) === 'IHDR' && END.equals(bytes.subarray(-END.length));
  const [width, height] = whole ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : [0, 0];
  if (Math.min(width, height) > 0 && Math.max(width, height) <= EDGE_MAX) return { width, height };
  throw new DeviceFault('nonsense', 'The device gave a screenshot that is no PNG.');
}
