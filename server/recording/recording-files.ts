import { mkdirSync } from 'node:fs';
import { access, constants, lstat, readdir, rename, stat, statfs, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openOrExplain } from '../flow/open-error.ts';
import type { FinishOrder } from '../link/recording-messages.ts';

/** The kinds of files of a recording by their suffixes. */
const SUFFIXES = ['.part.mp4', '.journal', '.mp4.tmp', '.mp4', '.jpg.tmp', '.jpg'] as const;
type Suffix = (typeof SUFFIXES)[number];

const OURS = /^(rec_[0-9A-Za-z]{22}(?:[0-9A-Za-z]{6})?)(\.part\.mp4|\.journal|(?:\.mp4|\.jpg)(?:\.tmp)?)$/;

/** Free space reserved for the database and other programs: with less, the disk counts as full. */
const SPARE_BYTES = 1024 * 1024;

/** A file of a recording in the folder. */
export interface FoundFile {
  readonly recordingId: string;
  /** Whether it is the finished object or its poster, not a part file, a journal or a draft. */
  readonly finished: boolean;
  /** Whether it is the finished object. */
  readonly isObject: boolean;
  readonly modifiedAtMs: number;
  remove(): Promise<void>;
}

/** The folder of the recordings' files. File names contain only ids, no text of clients. */
export class RecordingFiles {
  readonly #folder: string;

  /** @param folder an absolute path; created with access only for its owner if it is absent */
  constructor(folder: string) {
    this.#folder = folder;
    openOrExplain(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  }

  orderOf(id: string): FinishOrder {
    return {
      partFile: this.#path(id, '.part.mp4'),
      journalFile: this.#path(id, '.journal'),
      targetFile: this.finished(id),
    };
  }

  finished(id: string): string {
    return this.#path(id, '.mp4');
  }

  poster(id: string): string {
    return this.#path(id, '.jpg');
  }

  /** Removes the part file and the journal of a finished object. */
  async removeCapture(id: string): Promise<void> {
    for (const suffix of ['.part.mp4', '.journal', '.mp4.tmp'] as const) await remove(this.#path(id, suffix));
  }

  /** Writes a poster that is there whole or not at all, also after a power cut. */
  async keepPoster(id: string, jpeg: Uint8Array): Promise<void> {
    const draft = this.#path(id, '.jpg.tmp');
    try {
      await writeFile(draft, jpeg, { mode: 0o600, flush: true });
      await rename(draft, this.poster(id));
    } catch (error) {
      // A partial draft would keep a full disk full.
      await remove(draft).catch(() => undefined);
      throw error;
    }
  }

  async hasPoster(id: string): Promise<boolean> {
    return access(this.poster(id)).then(
      () => true,
      () => false,
    );
  }

  async removePoster(id: string): Promise<void> {
    for (const suffix of ['.jpg', '.jpg.tmp'] as const) await remove(this.#path(id, suffix));
  }

  /** Removes the finished object, and leaves its poster. */
  async removeFinished(id: string): Promise<void> {
    await remove(this.finished(id));
  }

  /** Removes everything of a recording. */
  async removeAll(id: string): Promise<void> {
    await remove(this.finished(id));
    await this.removePoster(id);
    await this.removeCapture(id);
  }

  /** True when the folder can be written and has room for the finished file beside its capture. */
  async canFinish(id: string): Promise<boolean> {
    try {
      await access(this.#folder, constants.W_OK);
      const { size } = await stat(this.#path(id, '.part.mp4'));
      return (await this.freeBytes()) >= size + SPARE_BYTES;
    } catch (error) {
      // A missing file needs no room; the finisher reports that it is missing.
      return (error as NodeJS.ErrnoException).code === 'ENOENT';
    }
  }

  /** Bytes that may still be written to the disk of the folder. */
  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize;
  }

  /** The files whose names are ours; whatever else lies there is not looked at. */
  async *found(): AsyncGenerator<FoundFile> {
    for (const name of await readdir(this.#folder)) {
      const [, recordingId, suffix] = OURS.exec(name) ?? [];
      if (recordingId === undefined) continue;
      const path = join(this.#folder, name);
      const stats = await lstat(path).catch(() => undefined);
      if (!stats?.isFile()) continue;
      const finished = suffix === '.mp4' || suffix === '.jpg';
      yield {
        recordingId,
        finished,
        isObject: suffix === '.mp4',
        modifiedAtMs: stats.mtimeMs,
        remove: () => remove(path),
      };
    }
  }

  #path(id: string, suffix: Suffix): string {
    const name = `${id}${suffix}`;
    if (!OURS.test(name)) throw new Error('the id is not one of a recording');
    return join(this.#folder, name);
  }
}

/** Removes only regular files: a folder or a link in this place is not ours. */
async function remove(path: string): Promise<void> {
  try {
    if ((await lstat(path)).isFile()) await unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
