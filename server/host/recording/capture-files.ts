import { appendFileSync, closeSync, fdatasync, fstatSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { encodeEntry, type JournalEntry } from '../../capture/journal.ts';
import { Mp4Muxer } from '../../capture/mp4-muxer.ts';
import { type Sample, type Track, toTicks } from '../../capture/track.ts';
import type { RecordingOrder } from '../../link/recording-messages.ts';

/** Fragmented MP4 with one fragment per batch, written when complete. The file can be played while it grows. */
const OPTIONS = { movflags: 'frag_custom+empty_moov+default_base_moof', flush_packets: '1' };

const toDisk = promisify(fdatasync);

/**
 * The growing files of one capture. Writes are synchronous, on a dedicated thread: when a call returns, the data has left the
 * process and survives its end. All methods throw the system's or FFmpeg's error.
 */
export class CaptureFiles {
  readonly #muxer: Mp4Muxer;
  /** A second file descriptor of the muxer's file, for `fsync`. */
  readonly #part: number;
  readonly #journal: number;
  /** Never rejects. */
  #syncing: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor({ partFile, journalFile }: Pick<RecordingOrder, 'partFile' | 'journalFile'>, track: Track) {
    this.#muxer = Mp4Muxer.createSync(partFile, track, OPTIONS);
    const opened: number[] = [];
    try {
      this.#part = openSync(partFile, 'r+');
      opened.push(this.#part);
      this.#journal = openSync(journalFile, 'a');
    } catch (error) {
      for (const file of opened) closeSync(file);
      this.#muxer.closeSync();
      throw error;
    }
  }

  /** Writes samples as one fragment, and the current end of the recording, `untilUs`, which is after the last sample. */
  write(samples: readonly Sample[], untilUs: number): void {
    samples.forEach((sample, index) => {
      const atTicks = toTicks(sample.atUs);
      const durationTicks = Math.max(1, toTicks(samples[index + 1]?.atUs ?? untilUs) - atTicks);
      this.#muxer.writeSync({ ...sample, atTicks, durationTicks });
    });
    if (samples.length > 0) this.#muxer.flushSync();
    const entries = samples.map(({ atUs, key, data }): JournalEntry => {
      return { kind: 'sample', atUs, key, bytes: data.length, crc: crc32(data) };
    });
    this.#note([...entries, { kind: 'alive', atUs: untilUs }]);
  }

  /**
   * Flushes all writes to the disk, so that they survive a power cut; returns the size of the part file in bytes. The only
   * asynchronous method: more can be written meanwhile.
   */
  async sync(): Promise<number> {
    const syncing = Promise.all([toDisk(this.#part), toDisk(this.#journal)]);
    this.#syncing = syncing.catch(() => undefined);
    await syncing;
    return fstatSync(this.#part).size;
  }

  /** Writes the end and closes the files. Returns the size of the part file in bytes. */
  async finish(endUs: number): Promise<number> {
    this.#note([{ kind: 'end', atUs: endUs }]);
    this.#muxer.finishSync();
    const bytes = await this.sync();
    await this.close();
    return bytes;
  }

  /** Closes the files as they are; idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // The descriptor of a closed file may be reused for another file.
    await this.#syncing;
    for (const close of [() => this.#muxer.closeSync(), () => closeSync(this.#part), () => closeSync(this.#journal)]) {
      try {
        close();
      } catch {
        // The writer has already reported a failing disk. The other files are closed all the same.
      }
    }
  }

  #note(entries: readonly JournalEntry[]): void {
    appendFileSync(this.#journal, Buffer.concat(entries.map(encodeEntry)));
  }
}
