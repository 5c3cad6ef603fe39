import { fstatSync } from 'node:fs';
import { Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { PackageFault, shown } from './package-fault.ts';
import { DEFLATED, LOCAL_HEADER_BYTES, listMembers, type Member, readAt, STORED } from './zip-directory.ts';

/** Read at once of a file that comes in pieces. */
const PIECE_BYTES = 256 * 1024;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;

/**
 * The files of an archive (PKWARE APPNOTE), listed and checked before any is read. Nothing is ever unpacked to disk;
 * single files are read into memory, each under a bound of its own. It mostly reads synchronously: its thread does
 * nothing else.
 */
export class ZipArchive {
  readonly #fd: number;
  readonly #members: ReadonlyMap<string, Member>;

  private constructor(fd: number, members: ReadonlyMap<string, Member>) {
    this.#fd = fd;
    this.#members = members;
  }

  /** Throws `PackageFault` for what is no sound archive. The caller closes the file. */
  static async open(fd: number): Promise<ZipArchive> {
    const members = await listMembers(fd, fstatSync(fd).size).catch((error: unknown) => {
      if (error instanceof PackageFault || !(error instanceof Error)) throw error;
      // The library's words are about the archive alone: it never learned a path.
      throw new PackageFault(`The file is no sound ZIP archive: ${shown(error.message)}.`);
    });
    return new ZipArchive(fd, members);
  }

  get names(): Iterable<string> {
    return this.#members.keys();
  }

  has(name: string): boolean {
    return this.#members.has(name);
  }

  /** Bytes of the file unpacked; 0 when there is none. */
  sizeOf(name: string): number {
    return this.#members.get(name)?.bytes ?? 0;
  }

  /** The file's content, at most `bytesMax` bytes, checked against its CRC-32; `undefined` when there is none. */
  read(name: string, bytesMax: number): Buffer | undefined {
    const member = this.#members.get(name);
    if (!member) return undefined;
    if (member.bytes > bytesMax) {
      throw new PackageFault(`"${shown(name)}" has ${member.bytes} bytes; at most ${bytesMax} are read.`);
    }
    const content = unpack(name, member, this.#packed(name, member));
    if (content.length !== member.bytes || crc32(content) !== member.crc) {
      throw new PackageFault(`"${shown(name)}" is damaged: its size or checksum is not what the archive says.`);
    }
    return content;
  }

  /** The file's content, piece by piece and unchecked: for what is too large to be held. It may end too early. */
  async *pieces(name: string): AsyncGenerator<Buffer> {
    const member = this.#members.get(name);
    if (!member || member.packedBytes === 0) return;
    const packed = Readable.from(this.#packedPieces(this.#contentStart(name, member), member.packedBytes));
    const content = member.method === DEFLATED ? packed.pipe(createInflateRaw({ chunkSize: PIECE_BYTES })) : packed;
    let bytes = 0;
    try {
      for await (const piece of content) {
        bytes += (piece as Buffer).length;
        if (bytes > member.bytes) throw new PackageFault(`"${shown(name)}" is larger than the archive says.`);
        yield piece as Buffer;
      }
    } catch (error) {
      if (error instanceof PackageFault) throw error;
      throw new PackageFault(`"${shown(name)}" cannot be unpacked.`);
    } finally {
      packed.destroy();
      content.destroy();
    }
  }

  *#packedPieces(start: number, bytes: number): Generator<Buffer> {
    for (let done = 0; done < bytes; done += PIECE_BYTES) {
      yield readAt(this.#fd, start + done, Math.min(PIECE_BYTES, bytes - done));
    }
  }

  #packed(name: string, member: Member): Buffer {
    const packed = readAt(this.#fd, this.#contentStart(name, member), member.packedBytes);
    if (packed.length < member.packedBytes)
      throw new PackageFault(`The archive ends in the middle of "${shown(name)}".`);
    return packed;
  }

  #contentStart(name: string, { offset }: Member): number {
    const header = readAt(this.#fd, offset, LOCAL_HEADER_BYTES);
    if (header.length < LOCAL_HEADER_BYTES || header.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE) {
      throw new PackageFault(`"${shown(name)}" is not where the archive says.`);
    }
    return offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  }
}

function unpack(name: string, { method, bytes }: Member, packed: Buffer): Buffer {
  if (method === STORED) return packed;
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) });
  } catch {
    throw new PackageFault(`"${shown(name)}" cannot be unpacked, or is larger than the archive says.`);
  }
}
