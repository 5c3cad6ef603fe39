import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBase62 } from '@runcloud/protocol/terms';
import { openOrExplain } from '../flow/open-error.ts';

const PART = /^upload-[0-9A-Za-z]+\.part$/;
const CONTENT = /^([0-9a-f]{64})\.pkg$/;

/** The files of uploaded packages in one folder: one file per content, named by its checksum, and running uploads. */
export class AssetFiles {
  readonly #folder: string;

  /** Makes the folder where there is none. */
  constructor(folder: string) {
    this.#folder = folder;
    openOrExplain(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  }

  path(checksum: string): string {
    return join(this.#folder, `${checksum}.pkg`);
  }

  /** Bytes that may still be written to the disk of the folder. Synchronous: it decides over an upload before its body is read. */
  freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#folder);
    return bavail * bsize;
  }

  /** Creates the file of a running upload. It belongs to no asset until `keep`. */
  begin(): Promise<IncomingFile> {
    return IncomingFile.create(join(this.#folder, `upload-${randomBase62(22)}.part`));
  }

  /** Makes a whole file the content of this checksum. It is on disk, name and all, when this returns. */
  async keep(incoming: IncomingFile, checksum: string): Promise<void> {
    await rename(incoming.path, this.path(checksum));
    const folder = await open(this.#folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  /** Takes back what was kept, as it was before: on its way. */
  async giveBack(incoming: IncomingFile, checksum: string): Promise<void> {
    await rename(this.path(checksum), incoming.path);
  }

  async remove(checksum: string): Promise<void> {
    await rm(this.path(checksum), { force: true });
  }

  /** Whether the content of this checksum is here. */
  has(checksum: string): boolean {
    return existsSync(this.path(checksum));
  }

  /**
   * Removes contents without a row and uploads that a killed server left; other files stay.
   * @param which `contents` leaves uploads, which may be on their way
   */
  removeOrphans(known: ReadonlySet<string>, which: 'all' | 'contents' = 'all'): number {
    let removed = 0;
    for (const entry of readdirSync(this.#folder, { withFileTypes: true })) {
      const checksum = CONTENT.exec(entry.name)?.[1];
      const orphan = checksum === undefined ? which === 'all' && PART.test(entry.name) : !known.has(checksum);
      if (!entry.isFile() || !orphan) continue;
      rmSync(join(this.#folder, entry.name), { force: true });
      removed++;
    }
    return removed;
  }
}

/** A file that is written from its beginning to its end. */
export class IncomingFile {
  readonly path: string;
  readonly #handle: FileHandle;
  #closed = false;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  static async create(path: string): Promise<IncomingFile> {
    return new IncomingFile(path, await open(path, 'wx', 0o600));
  }

  async write(piece: Uint8Array): Promise<void> {
    for (let done = 0; done < piece.byteLength; ) {
      const { bytesWritten } = await this.#handle.write(piece, done);
      done += bytesWritten;
    }
  }

  /** All of it is on disk when this returns. */
  async finish(): Promise<void> {
    await this.#handle.sync();
    await this.#close();
  }

  /** Leaves nothing behind; does nothing to a file that was kept. */
  async discard(): Promise<void> {
    await this.#close();
    await rm(this.path, { force: true });
  }

  async #close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#handle.close();
  }
}
