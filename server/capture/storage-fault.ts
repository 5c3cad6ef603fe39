import { constants } from 'node:os';
import { RecordingFault, type RecordingStage } from '../link/recording-fault.ts';

const { errno } = constants;
/** No space on the device, quota exceeded, or file larger than the system allows. */
const FULL: readonly number[] = [errno.ENOSPC, errno.EDQUOT, errno.EFBIG];

/** Converts a failed read or write to the fault that the caller sees. The error itself, which names files, is its cause. */
export function storageFault(error: unknown, stage: RecordingStage): RecordingFault {
  if (error instanceof RecordingFault) return error;
  const isFull = FULL.includes(numberOf(error));
  const code = isFull ? 'storage_full' : 'storage_error';
  const message = `The disk that recordings are kept on ${isFull ? 'is full' : 'failed'}.`;
  return new RecordingFault({ stage, code, message, retryable: true }, error);
}

/** Numbers of errors that say nothing about a file's content: a retry may help. */
const FAILING: readonly number[] = [errno.EIO, errno.EACCES, errno.EPERM, errno.EMFILE, errno.ENFILE, errno.ENOMEM];

/** True if the disk or the system failed, and not what the file holds. */
export const isStorageTrouble = (error: unknown): boolean => FAILING.includes(numberOf(error));

/** The system's error number, which Node.js reports as a negative `errno` and FFmpeg as a negative `code`. */
function numberOf(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 0;
  if ('errno' in error && typeof error.errno === 'number') return -error.errno;
  return 'code' in error && typeof error.code === 'number' ? -error.code : 0;
}
