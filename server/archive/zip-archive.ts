import { isUtf8 } from 'node:buffer';
import { fstatSync } from 'node:fs';
import { Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { notZip, PackageFault, shown } from './package-fault.ts';
import { readAt } from './read-at.ts';
import { DEFLATED, type Listing, listMembers, type Member, STORED } from './zip-directory.ts';

/** Read at once of a file that comes in pieces. */
const PIECE_BYTES = 256 * 1024;
/** Of a link's target: as many as a path may have. */
const LINK_BYTES_MAX = 1_024;

/**
 * The files of an archive (PKWARE APPNOTE), listed and checked before any is read. Single files are
 * read into memory, each under a bound of its own, or piece by piece. It mostly reads synchronously: its thread does
 * nothing else.
 */
export class ZipArchive {
  readonly #fd: number;
  readonly #files = new Map<string, Member>();
  readonly #links = new Map<string, Member>();
  /** Folders that have an entry of their own, each with its slash. */
  readonly folders: readonly string[];

  private constructor(fd: number, { members, folders }: Listing) {
    this.#fd = fd;
    this.folders = folders;
    for (const [name, member] of members) (member.kind === 'link' ? this.#links : this.#files).set(name, member);
  }

  /** Throws `PackageFault` for what is not a valid archive. The caller closes the file. */
  static async open(fd: number): Promise<ZipArchive> {
    const listing = await listMembers(fd, fstatSync(fd).size).catch((error: unknown) => {
      if (error instanceof PackageFault || !(error instanceof Error)) throw error;
      // The library's words are about the archive alone: it never learned a path.
      throw notZip(error.message);
    });
    return new ZipArchive(fd, listing);
  }

  /** Of files; links are none. */
  get names(): Iterable<string> {
    return this.#files.keys();
  }

  get links(): Iterable<string> {
    return this.#links.keys();
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  isExecutable(name: string): boolean {
    return this.#files.get(name)?.executable ?? false;
  }

  /** Whether pieces of this length and CRC-32 are the whole file. */
  isWhole(name: string, bytes: number, crc: number): boolean {
    const member = this.#files.get(name);
    return member?.bytes === bytes && member.crc === crc;
  }

  /** Where a link leads, as it says. Throws `PackageFault` for what is no text of at most `LINK_BYTES_MAX`. */
  linkTarget(name: string): string {
    const member = this.#links.get(name);
    const target = member ? this.#content(name, member, LINK_BYTES_MAX) : Buffer.alloc(0);
    if (target.length === 0 || !isUtf8(target)) throw new PackageFault(`The link "${shown(name)}" leads nowhere.`);
    return target.toString('utf8');
  }

  /** Bytes of the file unpacked; 0 when there is none. */
  sizeOf(name: string): number {
    return this.#files.get(name)?.bytes ?? 0;
  }

  /** The file's content, at most `bytesMax` bytes, checked against its CRC-32; `undefined` when there is none. */
  read(name: string, bytesMax: number): Buffer | undefined {
    const member = this.#files.get(name);
    return member && this.#content(name, member, bytesMax);
  }

  #content(name: string, member: Member, bytesMax: number): Buffer {
    if (member.bytes > bytesMax) {
      throw new PackageFault(`"${shown(name)}" has ${member.bytes} bytes; at most ${bytesMax} are read.`);
    }
    const content = unpack(name, member, this.#packed(name, member));
    if (content.length !== member.bytes || crc32(content) !== member.crc) throw damaged(name);
    return content;
  }

  /** The file's content, piece by piece and unchecked: for what is too large to be held. It may end too early. */
  async *pieces(name: string): AsyncGenerator<Buffer> {
    const member = this.#files.get(name);
    if (!member || member.packedBytes === 0) return;
    const packed = Readable.from(this.#packedPieces(member.start, member.packedBytes));
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
    const packed = readAt(this.#fd, member.start, member.packedBytes);
    if (packed.length < member.packedBytes)
      throw new PackageFault(`The archive ends in the middle of "${shown(name)}".`);
    return packed;
  }
}

const damaged = (name: string) =>
  new PackageFault(`"${shown(name)}" is damaged: its size or checksum is not what the archive says.`);

function unpack(name: string, { method, bytes }: Member, packed: Buffer): Buffer {
  if (method === STORED) return packed;
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) });
  } catch {
    throw new PackageFault(`"${shown(name)}" cannot be unpacked, or is larger than the archive says.`);
  }
}
