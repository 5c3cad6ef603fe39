import { inflateRawSync } from 'node:zlib';
import type { Files } from './zip.ts';

/** The files of a sound archive, by its directory. */
export function unzip(bytes: Buffer): Files {
  const end = bytes.lastIndexOf('PK\x05\x06');
  const files: Record<string, Buffer> = {};
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
    const content = bytes.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : Buffer.from(packed);
    files[bytes.toString('utf8', at + 46, at + 46 + (name ?? 0))] = content;
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}
