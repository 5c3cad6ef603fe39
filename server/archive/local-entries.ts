import { PackageFault, shown } from './package-fault.ts';
import { readAt } from './read-at.ts';

/**
 * Checks every byte before an archive's central directory (PKWARE APPNOTE, section 4.3): there is one local entry for each
 * entry of the directory, with the same name and sizes, and nothing else that a reader which starts at the front could take
 * for a file. Only what tools really write may stand in between: descriptors, padding, and the signature of an APK.
 */

/** An entry as the directory tells it. */
export interface DirectoryEntry {
  readonly name: string;
  /** As it is written. */
  readonly nameBytes: Buffer;
  readonly method: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly crc: number;
  /** Where its local header begins. */
  readonly offset: number;
}

const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const ENCRYPTED = 0x01;
/** Sizes and checksum follow the content. */
const DESCRIBED_BEHIND = 0x08;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const DESCRIPTOR_BYTES_MAX = 24;
/** The size is in an extra field of ZIP64. */
const ELSEWHERE = 0xffffffff;
/** Signature of an APK (Android, "APK Signature Scheme v2"): its size, pairs, its size again, and these letters. */
const APK_SIGNATURE = 'APK Sig Block 42';
const APK_SIGNATURE_BYTES_MIN = 32;
/** A tool that removes a file leaves a gap of its size, filled with entries of up to 64 KiB: enough for any archive. */
const FILLERS_MAX = 2 ** 16;
/** Of a gap, held in memory at a time. */
const PIECE_BYTES = 2 ** 16;

/**
 * Where the content of each entry begins.
 * @param entries in the order of their places, each behind the one before
 * @param end where the directory begins
 * @throws PackageFault
 */
export function findContents(fd: number, entries: readonly DirectoryEntry[], end: number): number[] {
  let at = 0;
  const contents = entries.map((entry) => {
    if (entry.offset < at) throw new PackageFault(`"${shown(entry.name)}" lies over another file of the archive.`);
    refuseHidden(fd, at, entry.offset, entry.name);
    const content = contentStart(fd, entry);
    at = content.start + entry.packedBytes;
    if (at > end) throw new PackageFault('The archive says that it is longer than it is.');
    if (content.describedBehind) at += descriptorBytes(readAt(fd, at, DESCRIPTOR_BYTES_MAX), entry);
    return content.start;
  });
  refuseHidden(fd, at, beforeSignature(fd, at, end), 'its directory');
  return contents;
}

function contentStart(fd: number, entry: DirectoryEntry): { start: number; describedBehind: boolean } {
  const local = readAt(fd, entry.offset, LOCAL_BYTES + entry.nameBytes.length);
  if (local.length < LOCAL_BYTES || local.readUInt32LE(0) !== LOCAL_SIGNATURE) {
    throw new PackageFault(`"${shown(entry.name)}" is not where the archive says.`);
  }
  const differs = (what: string) =>
    new PackageFault(`The archive tells two ${what} of "${shown(entry.name)}": one in its directory, one at the file.`);
  const nameBytes = local.readUInt16LE(26);
  if (nameBytes !== entry.nameBytes.length || !local.subarray(LOCAL_BYTES).equals(entry.nameBytes)) {
    throw differs('names');
  }
  const flags = local.readUInt16LE(6);
  if (flags & ENCRYPTED || local.readUInt16LE(8) !== entry.method) throw differs('kinds of content');
  const describedBehind = (flags & DESCRIBED_BEHIND) !== 0;
  const [crc, packedBytes, bytes] = [14, 18, 22].map((field) => local.readUInt32LE(field));
  const sizesDiffer =
    crc !== entry.crc ||
    (packedBytes !== entry.packedBytes && packedBytes !== ELSEWHERE) ||
    (bytes !== entry.bytes && bytes !== ELSEWHERE);
  if (!describedBehind && sizesDiffer) throw differs('sizes');
  return { start: entry.offset + LOCAL_BYTES + nameBytes + local.readUInt16LE(28), describedBehind };
}

/** How long the descriptor behind a content is, with or without its signature, in 32 or 64 bits; 0 where there is none. */
function descriptorBytes(behind: Buffer, { crc, packedBytes, bytes }: DirectoryEntry): number {
  for (const start of behind.length >= 4 && behind.readUInt32LE(0) === DESCRIPTOR_SIGNATURE ? [4, 0] : [0]) {
    if (behind.length < start + 12 || behind.readUInt32LE(start) !== crc) continue;
    const long = behind.length >= start + 20;
    if (long && big(behind, start + 4) === packedBytes && big(behind, start + 12) === bytes) return start + 20;
    if (behind.readUInt32LE(start + 4) === packedBytes && behind.readUInt32LE(start + 8) === bytes) return start + 12;
  }
  return 0;
}

const big = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

/** Where the signature of an APK begins that ends at `end`; `end` where there is none. */
function beforeSignature(fd: number, at: number, end: number): number {
  if (end - at < APK_SIGNATURE_BYTES_MIN) return end;
  const tail = readAt(fd, end - 24, 24);
  if (tail.toString('latin1', 8) !== APK_SIGNATURE) return end;
  const start = end - big(tail, 0) - 8;
  return start >= at && big(readAt(fd, start, 8), 0) === big(tail, 0) ? start : end;
}

/** Only zeros, or entries without a name and content, may lie between two entries: tools fill gaps with them. */
function refuseHidden(fd: number, from: number, to: number, before: string): void {
  const hidden = () =>
    new PackageFault(`The archive has something before "${shown(before)}" that its directory does not name.`);
  let fillers = 0;
  let piece: Buffer = Buffer.alloc(0);
  let pieceAt = from;
  for (let at = from; at < to; ) {
    // A header is never cut by the end of a piece, unless by that of the gap.
    if (at + LOCAL_BYTES > pieceAt + piece.length && pieceAt + piece.length < to) {
      pieceAt = at;
      piece = readAt(fd, at, Math.min(PIECE_BYTES, to - at));
    }
    if (piece[at - pieceAt] === 0) {
      at++;
      continue;
    }
    const header = piece.subarray(at - pieceAt);
    if (header.length < LOCAL_BYTES || header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw hidden();
    // Flags, method, checksum, sizes and the name's length are all nothing.
    const empty = [6, 8, 26].every((field) => header.readUInt16LE(field) === 0);
    if (!empty || [14, 18, 22].some((field) => header.readUInt32LE(field) !== 0)) throw hidden();
    at += LOCAL_BYTES + header.readUInt16LE(28);
    if (at > to || ++fillers > FILLERS_MAX) throw hidden();
  }
}
