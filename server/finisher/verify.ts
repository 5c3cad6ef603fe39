import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { storageFault } from '../capture/storage-fault.ts';
import type { VerifyOrder } from '../link/recording-messages.ts';

const CHUNK_BYTES = 1024 * 1024;

/** True if the file exists and matches its record. Rejects with a `RecordingFault` if the disk fails. */
export async function verify({ file, byteSize, sha256 }: VerifyOrder): Promise<boolean> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'r');
    const { size } = await handle.stat();
    return size === byteSize && (await digest(handle)) === sha256;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw storageFault(error, 'verify');
  } finally {
    await handle?.close();
  }
}

async function digest(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  while (true) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
  }
}
