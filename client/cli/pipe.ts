import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileError } from './failure.ts';

const { O_WRONLY, O_APPEND, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
/** Maximum wait for a reader to open the pipe. */
const READER_MS_MAX = 10_000;
const LOOK_AGAIN_MS = 20;

/**
 * Writes into a pipe or a device that is there, as fast as it takes bytes. It is opened without blocking, so that neither a
 * pipe that nobody reads nor one that is full holds a thread which Ctrl-C cannot free. Rejects with the signal's reason.
 */
export async function writeInto(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const file = await opened(path, signal);
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; ) {
        const count = await written(file, chunk.subarray(at));
        if (count === 0) await pause(signal);
        at += count;
      }
    }
  } finally {
    await file.close();
  }
}

/** Opens a pipe; waits for a reader. */
async function opened(path: string, signal: AbortSignal): Promise<FileHandle> {
  const deadlineMs = performance.now() + READER_MS_MAX;
  for (;;) {
    try {
      // A path such as /dev/fd/3 may lead to a regular file, which must be appended to, not overwritten.
      return await open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
      if (performance.now() > deadlineMs) throw fileError(`Nobody reads "${path}".`);
      await pause(signal);
    }
  }
}

/** Bytes that were taken; none while it is full. */
async function written(file: FileHandle, bytes: Uint8Array): Promise<number> {
  try {
    return (await file.write(bytes)).bytesWritten;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
    throw error;
  }
}

const pause = (signal: AbortSignal): Promise<void> =>
  sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
