import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, validateFileName } from 'yauzl';
import { type DirectoryEntry, findContents } from './local-entries.ts';
import { notZip, PackageFault, shown } from './package-fault.ts';
import { readAt } from './read-at.ts';

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

export const STORED = 0;
export const DEFLATED = 8;
const UNIX = 3;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const LINK = 0o120000;
const EXECUTABLE = 0o111;

/** One file or symbolic link, as the archive's directory describes it. */
export interface Member {
  readonly kind: 'file' | 'link';
  readonly executable: boolean;
  readonly method: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly crc: number;
  /** Where its content begins. */
  readonly start: number;
}

export interface Listing {
  readonly members: ReadonlyMap<string, Member>;
  /** Folders with an entry of their own; each name ends with a slash. */
  readonly folders: readonly string[];
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
    throw new Error('only the directory is read by this reader');
  }
}

/**
 * Lists the entries of an archive's central directory and checks them against the local entries. Throws `PackageFault` for
 * an archive that is malformed, and the library's own errors for one that it cannot read.
 */
export async function listMembers(fd: number, fileBytes: number): Promise<Listing> {
  const archive = await fromRandomAccessReaderPromise(new SyncReader(fd), fileBytes, {
    lazyEntries: true,
    autoClose: false,
    validateEntrySizes: true,
    decodeStrings: false,
  });
  if (archive.entryCount > ENTRIES_MAX) {
    throw new PackageFault(`The archive has ${archive.entryCount} entries; at most ${ENTRIES_MAX} are allowed.`);
  }
  // The typings are wrong: it is the place of the next entry.
  const directoryAt = Number(archive.readEntryCursor);
  const entries: (DirectoryEntry & Pick<Member, 'kind' | 'executable'>)[] = [];
  const names = new Set<string>();
  for await (const entry of archive.eachEntry()) {
    const name = nameOf(entry);
    const mode = modeOf(entry);
    refuseOdd(entry, name, mode);
    if (names.has(name)) throw new PackageFault(`The archive has "${shown(name)}" twice.`);
    names.add(name);
    entries.push({
      name,
      nameBytes: entry.fileNameRaw,
      kind: (mode & FILE_TYPE) === LINK && !name.endsWith('/') ? 'link' : 'file',
      executable: (mode & EXECUTABLE) !== 0,
      method: entry.compressionMethod,
      packedBytes: entry.compressedSize,
      bytes: entry.uncompressedSize,
      crc: entry.crc32,
      offset: entry.relativeOffsetOfLocalHeader,
    });
  }
  refuseBombs(entries, fileBytes);
  entries.sort((one, other) => one.offset - other.offset);
  const starts = findContents(fd, entries, directoryAt);
  const members = new Map<string, Member>();
  for (const [index, { name, kind, executable, method, packedBytes, bytes, crc }] of entries.entries()) {
    if (name.endsWith('/')) continue;
    members.set(name, { kind, executable, method, packedBytes, bytes, crc, start: starts[index] ?? 0 });
  }
  return { members, folders: [...names].filter((name) => name.endsWith('/')) };
}

/** Apple's tools write UTF-8 and do not say so. */
function nameOf({ fileNameRaw }: Entry): string {
  return isUtf8(fileNameRaw) ? fileNameRaw.toString('utf8') : fileNameRaw.toString('latin1');
}

/** Unix mode; 0 where the archive was made by a system that has none. */
function modeOf({ versionMadeBy, externalFileAttributes }: Entry): number {
  return versionMadeBy >>> 8 === UNIX ? externalFileAttributes >>> 16 : 0;
}

function refuseOdd(entry: Entry, name: string, mode: number): void {
  const refuse = (why: string) => new PackageFault(`The archive's entry "${shown(name)}" ${why}.`);
  if (entry.fileNameLength > NAME_BYTES_MAX) throw refuse(`has a name of more than ${NAME_BYTES_MAX} bytes`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (name === '' || /[\x00-\x1f\x7f]/.test(name)) throw refuse('has a name that is empty or has control characters');
  // Names that lead elsewhere: absolute ones, drive letters, backslashes, `..`.
  const why = validateFileName(name);
  if (why !== null) throw notZip(why);
  if (/(^|\/)\.?(\/|$)/.test(name.replace(/\/$/, ''))) throw refuse('has a name with parts that are empty or a point');
  if (entry.isEncrypted()) throw refuse('is encrypted');
  const type = mode & FILE_TYPE;
  if (!name.endsWith('/') && type !== 0 && type !== REGULAR && type !== LINK) throw refuse('is a special file');
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw refuse(`has the compression method ${entry.compressionMethod}; only stored and deflate are allowed`);
  }
}

function refuseBombs(entries: readonly DirectoryEntry[], fileBytes: number): void {
  let unpackedBytes = 0;
  for (const { name, bytes, packedBytes } of entries) {
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
}
