import { crc32 } from 'node:zlib';

/**
 * The journal of a recording consists of entries of equal size: one for each sample in the part file, and in between
 * entries that say how far the recording has come. Only they tell how long the last picture of the part file was shown.
 *
 * Little-endian:
 *
 * | offset | type | field                                                         |
 * | ------ | ---- | ------------------------------------------------------------- |
 * | 0      | u8   | 1 sample, 2 the recording continues, 3 the recording ended    |
 * | 1      | u8   | bit 0: key sample                                             |
 * | 2      | u16  | 0                                                             |
 * | 4      | u32  | bytes of the sample                                           |
 * | 8      | u64  | microseconds since the first sample                           |
 * | 16     | u32  | CRC-32 of the sample                                          |
 * | 20     | u32  | CRC-32 of the 20 bytes before                                 |
 */
export const JOURNAL_ENTRY_BYTES = 24;
const CHECKED_BYTES = 20;
const KINDS = ['sample', 'alive', 'end'] as const;
const KEY = 1;

export interface SampleEntry {
  readonly kind: 'sample';
  /** Time since the first sample, in microseconds. */
  readonly atUs: number;
  readonly key: boolean;
  readonly bytes: number;
  readonly crc: number;
}

/** Until this time the screen still showed the preceding sample. */
export interface TimeEntry {
  readonly kind: 'alive' | 'end';
  readonly atUs: number;
}

export type JournalEntry = SampleEntry | TimeEntry;

export function encodeEntry(entry: JournalEntry): Buffer {
  const bytes = Buffer.alloc(JOURNAL_ENTRY_BYTES);
  bytes.writeUInt8(KINDS.indexOf(entry.kind) + 1, 0);
  bytes.writeBigUInt64LE(BigInt(entry.atUs), 8);
  if (entry.kind === 'sample') {
    bytes.writeUInt8(entry.key ? KEY : 0, 1);
    bytes.writeUInt32LE(entry.bytes, 4);
    bytes.writeUInt32LE(entry.crc, 16);
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(0, CHECKED_BYTES)), CHECKED_BYTES);
  return bytes;
}

/**
 * Decodes the entries up to the first invalid one, where a kill or a power cut ended the journal. A sample may be older than
 * a time entry before it, if it was still being encoded when that entry was written.
 */
export function decodeJournal(journal: Buffer): JournalEntry[] {
  const entries: JournalEntry[] = [];
  let sampleUs = 0;
  let toldUs = 0;
  for (let at = 0; at + JOURNAL_ENTRY_BYTES <= journal.length; at += JOURNAL_ENTRY_BYTES) {
    const entry = decodeEntry(journal.subarray(at, at + JOURNAL_ENTRY_BYTES));
    if (!entry || entry.atUs < (entry.kind === 'sample' ? sampleUs : Math.max(sampleUs, toldUs))) break;
    if (entry.kind === 'sample') sampleUs = entry.atUs;
    else toldUs = entry.atUs;
    entries.push(entry);
  }
  return entries;
}

function decodeEntry(bytes: Buffer): JournalEntry | undefined {
  if (crc32(bytes.subarray(0, CHECKED_BYTES)) !== bytes.readUInt32LE(CHECKED_BYTES)) return undefined;
  const kind = KINDS[bytes.readUInt8(0) - 1];
  const atUs = Number(bytes.readBigUInt64LE(8));
  if (kind === undefined || !Number.isSafeInteger(atUs)) return undefined;
  if (kind !== 'sample') return { kind, atUs };
  const key = (bytes.readUInt8(1) & KEY) !== 0;
  return { kind, atUs, key, bytes: bytes.readUInt32LE(4), crc: bytes.readUInt32LE(16) };
}
