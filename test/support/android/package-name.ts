import { unzip } from '../unzip.ts';

/** The `package` of a compiled manifest in an APK; `undefined` for other files. */
export function packageNameIn(apk: Buffer): string | undefined {
  if (apk.toString('latin1', 0, 2) !== 'PK') return undefined;
  const found = unzip(apk)['AndroidManifest.xml'];
  if (found === undefined) return undefined;
  const xml = Buffer.from(found);
  const poolAt = xml.readUInt16LE(2);
  const text = (index: number) => poolText(xml.subarray(poolAt), index);
  // Behind the pool and what else comes first: the first element, which is the manifest's own.
  for (let at = poolAt; at < xml.length; at += xml.readUInt32LE(at + 4)) {
    if (xml.readUInt16LE(at) !== 0x0102) continue;
    const extension = at + xml.readUInt16LE(at + 2);
    const first = extension + xml.readUInt16LE(extension + 8);
    const size = xml.readUInt16LE(extension + 10);
    const count = xml.readUInt16LE(extension + 12);
    const attributes = Array.from({ length: count }, (_, index) => first + index * size);
    const named = attributes.find((attribute) => text(xml.readUInt32LE(attribute + 4)) === 'package');
    return named === undefined ? undefined : text(xml.readUInt32LE(named + 8));
  }
  return undefined;
}

/** A text of less than 128 characters, as package names and their attribute are. */
function poolText(pool: Buffer, index: number): string {
  const start = pool.readUInt32LE(20) + pool.readUInt32LE(pool.readUInt16LE(2) + index * 4);
  const isUtf8 = (pool.readUInt32LE(16) & 0x100) !== 0;
  if (isUtf8) return pool.toString('utf8', start + 2, start + 2 + (pool[start + 1] ?? 0));
  return pool.toString('utf16le', start + 2, start + 2 + 2 * pool.readUInt16LE(start));
}
