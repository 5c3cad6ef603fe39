import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { RecordingOrder } from '../../link/recording-messages.ts';
import { encodeEntry, type JournalEntry } from './journal.ts';
import { Mp4Muxer } from './mp4-muxer.ts';
import { type Sample, type Track, toTicks } from './track.ts';

/** A fragment for each batch, written as soon as it is whole. The file can be played while it grows. */
const OPTIONS = { movflags: 'frag_custom+empty_moov+default_base_moof', flush_packets: '1' };

/**
 * The growing files of one capture. Nothing here waits for a disk on the host's own thread. Whoever uses it waits for
 * one call before the next; everything rejects with the system's or FFmpeg's error.
 */
export class CaptureFiles {
  readonly #muxer: Mp4Muxer;
  /** A second way to the file that the muxer writes, to bring it to the disk. */
  readonly #part: FileHandle;
  readonly #journal: FileHandle;
  #closed = false;

  private constructor(muxer: Mp4Muxer, part: FileHandle, journal: FileHandle) {
    this.#muxer = muxer;
    this.#part = part;
    this.#journal = journal;
  }

  static async create({ partFile, journalFile }: RecordingOrder, track: Track): Promise<CaptureFiles> {
    const muxer = await Mp4Muxer.create(partFile, track, OPTIONS);
    const opened: FileHandle[] = [];
    try {
      const part = await open(partFile, 'r+');
      opened.push(part);
      const journal = await open(journalFile, 'a');
      opened.push(journal);
      return new CaptureFiles(muxer, part, journal);
    } catch (error) {
      for (const file of opened) await file.close();
      await muxer.close();
      throw error;
    }
  }

  /** Writes samples as one fragment, and that the recording has come to `untilUs`, which is past the last of them. */
  async write(samples: readonly Sample[], untilUs: number): Promise<void> {
    samples.forEach((sample, index) => {
      const atTicks = toTicks(sample.atUs);
      const durationTicks = Math.max(1, toTicks(samples[index + 1]?.atUs ?? untilUs) - atTicks);
      this.#muxer.writeSync({ ...sample, atTicks, durationTicks });
    });
    if (samples.length > 0) await this.#muxer.flush();
    const entries = samples.map(({ atUs, key, data }): JournalEntry => {
      return { kind: 'sample', atUs, key, bytes: data.length, crc: crc32(data) };
    });
    await this.#note([...entries, { kind: 'alive', atUs: untilUs }]);
  }

  /** Brings what is written to the disk itself, so that a power cut cannot take it. */
  async sync(): Promise<void> {
    await Promise.all([this.#part.datasync(), this.#journal.datasync()]);
  }

  /** Writes the end, and closes everything. Returns the size of the part file in bytes. */
  async finish(endUs: number): Promise<number> {
    await this.#note([{ kind: 'end', atUs: endUs }]);
    await this.#muxer.finish();
    await this.sync();
    const { size } = await this.#part.stat();
    await this.close();
    return size;
  }

  /** Closes everything as it is; twice is quiet. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.allSettled([this.#muxer.close(), this.#part.close(), this.#journal.close()]);
  }

  async #note(entries: readonly JournalEntry[]): Promise<void> {
    await this.#journal.appendFile(Buffer.concat(entries.map(encodeEntry)));
  }
}
