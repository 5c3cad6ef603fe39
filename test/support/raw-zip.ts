import { crc32, deflateRawSync } from 'node:zlib';

/** One entry as the archive is to tell it, true or not. */
export interface RawEntry {
  readonly name: string;
  readonly content?: Buffer;
  readonly method?: number;
  /** What the central directory claims instead of the truth. */
  readonly claims?: {
    readonly bytes?: number;
    readonly packedBytes?: number;
    readonly crc?: number;
    readonly offset?: number;
  };
  readonly flags?: number;
  /** Unix mode, with the kind of file. */
  readonly mode?: number;
}

/** An archive written by hand, so that it can lie. */
export function rawZip(entries: readonly RawEntry[], { entryCount = entries.length, comment = '' } = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content = Buffer.alloc(0), method = 8, claims = {}, flags = 0x800, mode = 0 } of entries) {
    const packed = method === 8 ? deflateRawSync(content) : content;
    const facts = { bytes: content.length, packedBytes: packed.length, crc: crc32(content), offset: at, ...claims };
    const nameBytes = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(facts.crc, 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(content.length, 22);
    local.writeUInt16LE(nameBytes.length, 26);
    locals.push(local, nameBytes, packed);
    at += local.length + nameBytes.length + packed.length;
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(mode === 0 ? 20 : (3 << 8) | 20, 4);
    central.writeUInt16LE(20, 6);
    central.writeUInt16LE(flags, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(facts.crc, 16);
    central.writeUInt32LE(facts.packedBytes, 20);
    central.writeUInt32LE(facts.bytes, 24);
    central.writeUInt16LE(nameBytes.length, 28);
    central.writeUInt32LE((mode << 16) >>> 0, 38);
    central.writeUInt32LE(facts.offset, 42);
    directory.push(central, nameBytes);
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entryCount & 0xffff, 8);
  end.writeUInt16LE(entryCount & 0xffff, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...locals, central, end, Buffer.from(comment)]);
}
