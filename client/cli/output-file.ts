import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { link, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { fileError, invalidRequest } from './failure.ts';
import { writeInto } from './pipe.ts';

export interface OutputOptions {
  /** Whether a file that is there may be replaced. */
  readonly force?: boolean | undefined;
  /** Ends the wait for a pipe's reader. */
  readonly signal: AbortSignal;
}

/** Names by which systems reach what a process has open; writing to one of them goes there, and replaces nothing. */
const OPEN_ALREADY = /^\/(?:dev\/(?:std(?:in|out|err)$|fd\/)|proc\/[^/]+\/(?:task\/[^/]+\/)?fd\/)/;
const STANDARD_OUTPUT = new Set(['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']);

/** Whether a file's name stands for standard output. */
export const isStandardOutput = (name: string): boolean => name === '-' || STANDARD_OUTPUT.has(resolve(name));

/**
 * Where a command's file goes. A file appears whole or not at all: written aside, then renamed. A link is followed, so that it
 * stays and the file that it leads to is replaced. A pipe or a device is written into, and never replaced.
 */
export class OutputFile {
  /** As it was named, absolute. */
  readonly path: string;
  /** Whether bytes are gone once they are written: only what is known to be right may be. */
  readonly passesOn: boolean;
  readonly #target: string;
  readonly #options: OutputOptions;

  private constructor(path: string, target: string, passesOn: boolean, options: OutputOptions) {
    this.path = path;
    this.passesOn = passesOn;
    this.#target = target;
    this.#options = options;
  }

  /** Refuses a file that is there already, unless it may be replaced, and what no file can be written to. */
  static async at(name: string, options: OutputOptions): Promise<OutputFile> {
    const path = resolve(name);
    const there = await stat(path).catch(() => undefined);
    if (there?.isDirectory() || name.endsWith('/') || name.endsWith(sep))
      throw invalidRequest(`"${name}" is a folder.`);
    if (there && (!there.isFile() || OPEN_ALREADY.test(path))) {
      if (!takesBytes(there))
        throw invalidRequest(`"${name}" is neither a file, nor a pipe or a device that takes bytes.`);
      return new OutputFile(path, path, true, options);
    }
    if (there && options.force !== true) throw invalidRequest(`"${name}" is there already; --force overwrites it.`);
    if (!there) await refuseUnlessNew(name, path);
    return new OutputFile(path, there ? await realpath(path) : path, false, options);
  }

  /** A failure or an interrupt leaves no partial file behind. */
  async write(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    if (this.passesOn) return writeInto(this.#target, chunks, this.#options.signal);
    const aside = `${this.#target}.${randomBytes(6).toString('hex')}.part`;
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

  /** Links instead of renaming: a link never replaces a file that was created meanwhile. */
  async #appear(aside: string): Promise<void> {
    if (this.#options.force === true) {
      // It may have become a pipe, or a folder, since it was looked at.
      const now = await lstat(this.#target).catch(() => undefined);
      if (now && !now.isFile()) throw invalidRequest(`"${this.path}" is no file any more.`);
      return rename(aside, this.#target);
    }
    try {
      await link(aside, this.#target);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') throw invalidRequest(`"${this.path}" is there already; --force overwrites it.`);
      // This file system has no links.
      await rename(aside, this.#target);
    }
  }
}

/** Not a disk, whose content it would be, and not a socket, which cannot be opened. */
const takesBytes = (there: Stats): boolean => there.isFIFO() || there.isCharacterDevice() || there.isFile();

async function refuseUnlessNew(name: string, path: string): Promise<void> {
  const isLink = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isLink) throw invalidRequest(`"${name}" is a link that leads nowhere.`);
  const folder = await stat(dirname(path)).catch(() => undefined);
  if (!folder?.isDirectory()) throw fileError(`"${dirname(path)}", where "${name}" is to be, is no folder.`);
}
