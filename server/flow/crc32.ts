/** CRC-32 as zlib, PNG and Ethernet compute it (polynomial 0xEDB88320, reflected). `zlib.crc32` is younger than Node 20.0. */

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The CRC-32 of these bytes, 0 to 2^32 - 1. */
export function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (let index = 0; index < bytes.length; index += 1) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[index] ?? 0)) & 0xff] ?? 0);
  }
  return ~crc >>> 0;
}

/** The CRC-32 of text whose characters are all ASCII. */
export const crc32OfAscii = (text: string): number => crc32(Buffer.from(text, 'latin1'));
