import { randomBytes } from 'node:crypto';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { invalidRequest } from './failure.ts';

/** A file that appears whole or not at all: written aside, then renamed. */
export class OutputFile {
  readonly path: string;
  readonly #force: boolean;

  private constructor(path: string, force: boolean) {
    this.path = path;
    this.#force = force;
  }

  /** Refuses a file that is there already, unless it may be overwritten, and a folder. */
  static async at(name: string, { force = false }: { readonly force?: boolean | undefined }): Promise<OutputFile> {
    const path = resolve(name);
    const there = await stat(path).catch(() => undefined);
    if (there?.isDirectory()) throw invalidRequest(`"${name}" is a folder.`);
    if (there && !force) throw invalidRequest(`"${name}" is there already; --force overwrites it.`);
    return new OutputFile(path, force);
  }

  /** Whatever goes wrong, and an interrupt, leaves nothing behind. */
  async write(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const aside = `${this.path}.${randomBytes(6).toString('hex')}.part`;
    try {
      const file = await open(aside, 'wx');
      try {
        for await (const chunk of chunks) await file.writeFile(chunk);
        await file.sync();
      } finally {
        await file.close();
      }
      await this.#appear(aside);
    } finally {
      await rm(aside, { force: true });
    }
  }

  /** A link, unlike a renaming, never takes the place of a file that somebody else made meanwhile. */
  async #appear(aside: string): Promise<void> {
    if (this.#force) return rename(aside, this.path);
    try {
      await link(aside, this.path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') throw invalidRequest(`"${this.path}" is there already; --force overwrites it.`);
      // This file system has no links.
      await rename(aside, this.path);
    }
  }
}
