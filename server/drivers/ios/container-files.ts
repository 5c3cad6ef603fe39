import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileEntry, FileKind, FilePlace } from '@runcloud/protocol';
import { LIMITS, randomBase62 } from '@runcloud/protocol/terms';
import { DeviceFault } from '../../device/fault.ts';
import { ended, isKind, notEmpty, notThere, tooLong } from '../../device/file-faults.ts';
import type { DeviceFiles, ListedFolder } from '../../device/files.ts';
import { fileNameOf } from '../file-name.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

const PIECE_BYTES = 262_144;

type Stats = Awaited<ReturnType<typeof lstat>>;

/**
 * A folder of this host that belongs to a simulator. A link is refused where it is found; nothing is kept from the simulator's apps by that,
 * which may do all that this host's user may. The host's file system may take one name for another; only the very name counts.
 */
export class ContainerFiles implements DeviceFiles {
  /** Without links. */
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** @param root absolute path of a folder that is there */
  static async at(root: string): Promise<ContainerFiles> {
    return new ContainerFiles(await realpath(root));
  }

  async list(place: FilePlace): Promise<ListedFolder> {
    const stats = await this.#find(place);
    if (!stats) throw notThere(place);
    const kind = kindOf(stats);
    if (kind !== 'folder') throw isKind(place, kind, 'folder');
    const folder = await this.#really(place);
    const texts = (await readdir(Buffer.from(folder), { encoding: 'buffer' })).map(fileNameOf);
    const names = texts.filter((text) => text !== undefined) as string[];
    names.sort((one, other) => (one < other ? -1 : 1));
    const told = names.slice(0, LIMITS.filesListed);
    const entries = await Promise.all(told.map(async (name) => entryOf(name, await statOf(join(folder, name)))));
    const unnamed = texts.length - names.length;
    return {
      entries: entries.filter((entry) => entry !== undefined),
      ...(told.length < names.length ? { truncated: true } : {}),
      ...(unnamed > 0 ? { unnamed } : {}),
    };
  }

  async pull(place: FilePlace, into: string, signal: AbortSignal): Promise<{ readonly byteSize: number }> {
    const found = await this.#find(place);
    if (!found) throw notThere(place);
    if (kindOf(found) !== 'file') throw isKind(place, kindOf(found), 'file');
    // A pipe in its place would be waited for.
    const handle = await open(this.#pathOf(place), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
    if (!handle) throw notThere(place);
    try {
      const opened = await handle.stat();
      const really = await lstat(await this.#really(place));
      if (!opened.isFile() || opened.ino !== really.ino || opened.dev !== really.dev) throw notThere(place);
      if (opened.size > LIMITS.fileBytes) throw tooLong(place, opened.size);
      return { byteSize: await copy(handle, await open(into, 'r+'), signal) };
    } finally {
      await handle.close();
    }
  }

  async push(place: FilePlace, file: string, signal: AbortSignal) {
    const old = await this.#find(place, true);
    if (old && kindOf(old) !== 'file') throw isKind(place, kindOf(old), 'file');
    const above = await this.#make(place);
    const aside = join(this.#root, `.runcloud-${randomBase62(16)}.part`);
    try {
      const source = await open(file, 'r');
      try {
        await copy(source, await open(aside, 'wx', 0o644), signal);
      } finally {
        await source.close();
      }
      if ((await realpath(above)) !== above) throw isKind(place, 'link');
      await rename(aside, this.#pathOf(place));
    } finally {
      await rm(aside, { force: true });
    }
    const { size, mtime } = await lstat(await this.#really(place));
    return { byteSize: size, modifiedAt: mtime.toISOString() };
  }

  async remove(place: FilePlace): Promise<{ readonly kind: FileKind }> {
    const found = await this.#find(place);
    if (!found) throw notThere(place);
    const kind = kindOf(found);
    const path = this.#pathOf(place);
    // A link is removed itself, and is not where it leads.
    if (kind !== 'link') await this.#really(place);
    try {
      await (kind === 'folder' ? rmdir(path) : unlink(path));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTEMPTY' || code === 'EEXIST') throw notEmpty(place);
      throw code === 'ENOENT' ? notThere(place) : error;
    }
    return { kind };
  }

  #pathOf({ path }: Pick<FilePlace, 'path'>): string {
    return path === '' ? this.#root : `${this.#root}/${path}`;
  }

  /** Throws where it is not what its path says: under another spelling, or behind a link. */
  async #really(place: FilePlace): Promise<string> {
    const path = this.#pathOf(place);
    const really = await realpath(path).catch(() => undefined);
    if (really === path) return path;
    throw really?.startsWith(`${this.#root}/`) && really.toLowerCase().normalize() === path.toLowerCase().normalize()
      ? new DeviceFault('failed', `${JSON.stringify(place.path)} is there with another spelling.`)
      : notThere(place);
  }

  /** @param mayMiss whether folders of the path may be made */
  async #find(place: FilePlace, mayMiss = false): Promise<Stats | undefined> {
    const names = place.path === '' ? [] : place.path.split('/');
    for (let count = 1; count < names.length; count++) {
      const above = { ...place, path: names.slice(0, count).join('/') };
      const stats = await statOf(this.#pathOf(above));
      if (!stats) {
        if (mayMiss) return undefined;
        throw notThere(place);
      }
      const kind = kindOf(stats);
      if (kind === 'link') throw isKind(above, 'link');
      if (kind !== 'folder') throw mayMiss ? isKind(above, kind, 'folder') : notThere(place);
    }
    const found = await statOf(this.#pathOf(place));
    if (found && mayMiss && !found.isSymbolicLink()) await this.#really(place);
    return found;
  }

  /** Makes the folders of a path; resolves with the last of them, which is where it says. */
  async #make({ root, path }: FilePlace): Promise<string> {
    const names = path.split('/').slice(0, -1);
    let at = '';
    for (const name of names) {
      at = at === '' ? name : `${at}/${name}`;
      await mkdir(this.#pathOf({ path: at })).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      await this.#really({ root, path: at });
    }
    return this.#pathOf({ path: at });
  }
}

/** Copies all of it, at most as many bytes as a file may have, and closes what it is copied to. */
async function copy(from: FileHandle, to: FileHandle, signal: AbortSignal): Promise<number> {
  const piece = new Uint8Array(PIECE_BYTES);
  let count = 0;
  try {
    while (count < LIMITS.fileBytes) {
      if (signal.aborted) throw ended();
      const { bytesRead } = await from.read(piece, 0, Math.min(piece.length, LIMITS.fileBytes - count));
      if (bytesRead === 0) break;
      await to.writeFile(piece.subarray(0, bytesRead));
      count += bytesRead;
    }
    await to.sync();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    throw new DeviceFault('unavailable', 'The disk of the host is full.');
  } finally {
    await to.close();
  }
  return count;
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'ENAMETOOLONG')
      throw new DeviceFault('failed', 'The path is too long for the file system of the host.');
    throw error;
  }
}

function kindOf(stats: Stats): FileKind {
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : 'other';
}

function entryOf(name: string, stats: Stats | undefined): FileEntry | undefined {
  if (!stats) return undefined;
  const kind = kindOf(stats);
  return {
    name,
    kind,
    ...(kind === 'file' ? { byteSize: Number(stats.size) } : {}),
    modifiedAt: stats.mtime.toISOString(),
  };
}
