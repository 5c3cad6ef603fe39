import { crc32, deflateRawSync } from 'node:zlib';

/** One entry as the archive is to tell it, true or not. */
export interface RawEntry {
  readonly name: string;
  readonly content?: Buffer;
  readonly method?: number;
  /** False values in the directory. */
  readonly claims?: {
    readonly bytes?: number;
    readonly packedBytes?: number;
    readonly crc?: number;
    readonly offset?: number;
  };
  readonly flags?: number;
  /** Unix mode, with the kind of file. */
  readonly mode?: number;
  /** Values in its local header that differ from the directory. */
  readonly local?: { readonly name?: string; readonly bytes?: number; readonly crc?: number; readonly method?: number };
  /** Bytes before its local header. */
  readonly before?: Buffer;
  /** Sizes and checksum come behind the content. */
  readonly described?: 'with signature' | 'bare' | 'in 64 bits';
}

/** A local header and content that no directory names. */
export const strayEntry = (name: string, content = Buffer.alloc(0), extra = 0): Buffer =>
  Buffer.concat([
    localHeader({
      name,
      method: 0,
      flags: 0,
      crc: crc32(content),
      packed: content.length,
      bytes: content.length,
      extra,
    }),
    content,
  ]);

function localHeader(facts: {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly bytes: number;
  readonly extra: number;
}): Buffer {
  const nameBytes = Buffer.from(facts.name);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(facts.flags, 6);
  local.writeUInt16LE(facts.method, 8);
  local.writeUInt32LE(facts.crc, 14);
  local.writeUInt32LE(facts.packed, 18);
  local.writeUInt32LE(facts.bytes, 22);
  local.writeUInt16LE(nameBytes.length, 26);
  local.writeUInt16LE(facts.extra, 28);
  return Buffer.concat([local, nameBytes, Buffer.alloc(facts.extra)]);
}

function descriptor(kind: RawEntry['described'], crc: number, packed: number, bytes: number): Buffer {
  const sizes = Buffer.alloc(kind === 'in 64 bits' ? 16 : 8);
  if (kind === 'in 64 bits') {
    sizes.writeBigUInt64LE(BigInt(packed), 0);
    sizes.writeBigUInt64LE(BigInt(bytes), 8);
  } else {
    sizes.writeUInt32LE(packed, 0);
    sizes.writeUInt32LE(bytes, 4);
  }
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x08074b50, 0);
  head.writeUInt32LE(crc, 4);
  return Buffer.concat([kind === 'bare' ? head.subarray(4) : head, sizes]);
}

/** An archive written by hand, so that it can lie. */
export function rawZip(
  entries: readonly RawEntry[],
  { entryCount = entries.length, comment = '', beforeDirectory = Buffer.alloc(0) as Buffer } = {},
): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { name, content = Buffer.alloc(0), method = 8, claims = {}, mode = 0, local = {}, described } = entry;
    const { before = Buffer.alloc(0) } = entry;
    const flags = (entry.flags ?? 0x800) | (described ? 8 : 0);
    at += before.length;
    const packed = method === 8 ? deflateRawSync(content) : content;
    const facts = { bytes: content.length, packedBytes: packed.length, crc: crc32(content), offset: at, ...claims };
    const nameBytes = Buffer.from(name);
    const told = described
      ? { crc: 0, packed: 0, bytes: 0 }
      : { crc: facts.crc, packed: facts.packedBytes, bytes: facts.bytes };
    const parts = [localHeader({ name, flags, method, extra: 0, ...told, ...local }), packed];
    if (described) parts.push(descriptor(described, facts.crc, packed.length, content.length));
    locals.push(before, ...parts);
    for (const part of parts) at += part.length;
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
  at += beforeDirectory.length;
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entryCount & 0xffff, 8);
  end.writeUInt16LE(entryCount & 0xffff, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...locals, beforeDirectory, central, end, Buffer.from(comment)]);
}
