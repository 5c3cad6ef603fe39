import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RecordingFaultFields } from '../../link/recording-fault.ts';
import type { RecordingOrder } from '../../link/recording-messages.ts';

/** Free bytes of the disk that holds a folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Whether a recording must not begin, or has to end while all of it can still be kept: finalizing writes a second copy of the
 * bytes that were written, so that space does not count as free.
 */
export async function isDiskFull(
  { partFile, headroomBytes }: Pick<RecordingOrder, 'partFile' | 'headroomBytes'>,
  writtenBytes: number,
  freeBytes: (folder: string) => Promise<number>,
): Promise<boolean> {
  return (await freeBytes(dirname(partFile))) < headroomBytes + writtenBytes;
}

export const DISK_FULL: RecordingFaultFields = {
  stage: 'prepare',
  code: 'storage_full',
  message: 'The disk that recordings are kept on is nearly full.',
  retryable: true,
};
