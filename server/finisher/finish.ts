import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { decodeJournal, type JournalEntry } from '../capture/journal.ts';
import { storageFault } from '../capture/storage-fault.ts';
import { ticksToMs } from '../capture/track.ts';
import { RecordingFault } from '../link/recording-fault.ts';
import type { FinishedRecording, FinishOrder } from '../link/recording-messages.ts';
import { checkContainer } from './container-check.ts';
import { decodePicture } from './decode-picture.ts';
import { remux, type Written } from './remux.ts';

/**
 * Makes the finished file of a capture: writes a draft, flushes it to the disk, verifies it, and renames it to its place.
 * A kill at any point leaves the capture unchanged, so this can be repeated with the same result. Rejects with a
 * `RecordingFault`, and then leaves no draft behind.
 */
export async function finish({ partFile, journalFile, targetFile }: FinishOrder): Promise<FinishedRecording> {
  const draft = `${targetFile}.tmp`;
  try {
    const written = await remux(partFile, await readJournal(journalFile), draft);
    await sync(draft);
    const object = await checkContainer(draft, written);
    await checkFirstPicture(draft, written);
    await rename(draft, targetFile);
    await sync(dirname(targetFile));
    const { width, height } = written.track;
    return {
      ...object,
      durationMs: ticksToMs(written.endTicks),
      width,
      height,
      sampleCount: written.bytes.length,
      lostTailMs: Math.round(written.lostTailUs / 1_000),
    };
  } catch (error) {
    // A partial draft would keep a full disk full.
    await rm(draft, { force: true }).catch(() => undefined);
    throw storageFault(error, 'finalize');
  }
}

/** If the journal is lost, the times in the part file are used. */
async function readJournal(file: string): Promise<JournalEntry[]> {
  try {
    return decodeJournal(await readFile(file));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Flushes a file or the entries of a folder to the disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function checkFirstPicture(file: string, { track }: Written): Promise<void> {
  try {
    const { width, height } = await decodePicture(file, 'first', ({ width, height }) => ({ width, height }));
    if (width !== track.width || height !== track.height) throw new Error(`it decodes as ${width} × ${height} pixels`);
  } catch (error) {
    const message = 'The first picture of the recording cannot be decoded.';
    throw new RecordingFault({ stage: 'verify', code: 'container_invalid', message, retryable: true }, error);
  }
}
