import { fstatSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { crc32, inflateRawSync } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl';
import { PackageFault, shown } from './package-fault.ts';

/** Files in one archive; the largest apps have some ten thousand. More would cost seconds just to list. */
const ENTRIES_MAX = 100_000;
const NAME_BYTES_MAX = 1_024;
/** Bytes of all files unpacked, which a device would have to store. */
const UNPACKED_BYTES_MAX = 8 * 2 ** 30;
/** Deflate makes 1 byte out of 1,032 at best (RFC 1951); an entry that claims more is lying. */
const DEFLATE_RATIO_MAX = 1_032;
/** A whole archive that unpacks to more than this many times its size is a bomb; apps reach about ten. */
const ARCHIVE_RATIO_MAX = 100;
/** Small archives of very repetitive files are not worth a refusal. */
const RATIO_FREE_BYTES = 64 * 2 ** 20;

const STORED = 0;
const DEFLATED = 8;
const UNIX = 3;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;

interface Member {
  readonly method: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly crc: number;
  /** Where its local header begins. */
  readonly offset: number;
}

/**
 * The files of an archive (PKWARE APPNOTE), listed and checked before any is read. Nothing is ever unpacked to disk;
 * single files are read into memory, each under a bound of its own. It reads synchronously: its thread does nothing else.
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
    const fileBytes = fstatSync(fd).size;
    const members = await listMembers(fd, fileBytes).catch((error: unknown) => {
      if (error instanceof PackageFault || !(error instanceof Error)) throw error;
      // The library's words are about the archive alone: it never learned a path.
      throw new PackageFault(`The file is no sound ZIP archive: ${shown(error.message)}.`);
    });
    refuseBombs(members, fileBytes);
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

  #packed(name: string, { offset, packedBytes }: Member): Buffer {
    const header = readAt(this.#fd, offset, LOCAL_HEADER_BYTES);
    if (header.length < LOCAL_HEADER_BYTES || header.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE) {
      throw new PackageFault(`"${shown(name)}" is not where the archive says.`);
    }
    const start = offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
    const packed = readAt(this.#fd, start, packedBytes);
    if (packed.length < packedBytes) throw new PackageFault(`The archive ends in the middle of "${shown(name)}".`);
    return packed;
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

function readAt(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const read = readSync(fd, buffer, done, length - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return buffer.subarray(0, done);
}

/** Lets the library read without a trip to the thread pool for each entry. */
class SyncReader extends RandomAccessReader {
  readonly #fd: number;

  constructor(fd: number) {
    super();
    this.#fd = fd;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null, bytesRead?: number) => void,
  ): void {
    let bytesRead: number;
    try {
      const bytes = readAt(this.#fd, position, length);
      bytes.copy(buffer, offset);
      bytesRead = bytes.length;
    } catch (error) {
      return done(error as Error);
    }
    if (bytesRead < length) return done(new Error('unexpected end of the file'));
    done(null, bytesRead);
  }

  override _readStreamForRange(): Readable {
    throw new Error('files are read by ZipArchive itself');
  }
}

async function listMembers(fd: number, fileBytes: number): Promise<Map<string, Member>> {
  const archive = await fromRandomAccessReaderPromise(new SyncReader(fd), fileBytes, {
    lazyEntries: true,
    autoClose: false,
    validateEntrySizes: true,
    strictFileNames: true,
  });
  if (archive.entryCount > ENTRIES_MAX) {
    throw new PackageFault(`The archive has ${archive.entryCount} entries; at most ${ENTRIES_MAX} are allowed.`);
  }
  const members = new Map<string, Member>();
  for await (const entry of archive.eachEntry()) {
    const name = entry.fileName;
    refuseOdd(entry, name);
    if (name.endsWith('/')) continue;
    if (members.has(name)) throw new PackageFault(`The archive has "${shown(name)}" twice.`);
    members.set(name, {
      method: entry.compressionMethod,
      packedBytes: entry.compressedSize,
      bytes: entry.uncompressedSize,
      crc: entry.crc32,
      offset: entry.relativeOffsetOfLocalHeader,
    });
  }
  return members;
}

/** Names that lead elsewhere are refused by the library: absolute ones, drive letters, backslashes, `..`. */
function refuseOdd(entry: Entry, name: string): void {
  const refuse = (why: string) => new PackageFault(`The archive's entry "${shown(name)}" ${why}.`);
  if (entry.fileNameLength > NAME_BYTES_MAX) throw refuse(`has a name of more than ${NAME_BYTES_MAX} bytes`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (name === '' || /[\x00-\x1f\x7f]/.test(name)) throw refuse('has a name that is empty or has control characters');
  if (entry.isEncrypted()) throw refuse('is encrypted');
  if (entry.versionMadeBy >>> 8 === UNIX && !name.endsWith('/')) {
    const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
    if (type !== 0 && type !== REGULAR) throw refuse('is a symbolic link or another special file');
  }
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw refuse(`has the compression method ${entry.compressionMethod}; only stored and deflate are allowed`);
  }
}

function refuseBombs(members: ReadonlyMap<string, Member>, fileBytes: number): void {
  let unpackedBytes = 0;
  for (const [name, { bytes, packedBytes }] of members) {
    unpackedBytes += bytes;
    if (bytes > (packedBytes + 1) * DEFLATE_RATIO_MAX) {
      throw new PackageFault(`"${shown(name)}" claims to unpack to more than its packed size can hold.`);
    }
  }
  if (unpackedBytes > UNPACKED_BYTES_MAX) {
    throw new PackageFault(`The archive unpacks to ${unpackedBytes} bytes; at most ${UNPACKED_BYTES_MAX} are allowed.`);
  }
  if (unpackedBytes > RATIO_FREE_BYTES && unpackedBytes > fileBytes * ARCHIVE_RATIO_MAX) {
    throw new PackageFault(`The archive unpacks to more than ${ARCHIVE_RATIO_MAX} times its own size.`);
  }
  const byPlace = [...members].sort(([, one], [, other]) => one.offset - other.offset);
  let end = 0;
  for (const [name, { offset, packedBytes }] of byPlace) {
    if (offset < end) throw new PackageFault(`"${shown(name)}" lies over another file of the archive.`);
    // The local header repeats the name, and may have extra fields of a length of its own.
    end = offset + LOCAL_HEADER_BYTES + Buffer.byteLength(name) + packedBytes;
  }
  if (end > fileBytes) throw new PackageFault('The archive says that it is longer than it is.');
}
