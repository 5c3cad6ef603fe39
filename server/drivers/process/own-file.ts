import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';

/** Files that other users can write are untrusted: this process reads no instructions from them. */

const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;

type Rights = Pick<Stats, 'uid' | 'gid' | 'mode'>;

/** True when only this user, or root, can have written a file with these rights. */
export function isOwn({ uid, gid, mode }: Rights, user = process.getuid?.()): boolean {
  // On systems without user numbers these folders are not shared.
  if (user === undefined) return true;
  if (uid !== user && uid !== 0) return false;
  // Many systems give each user a group of the same number, and let it write.
  return (mode & OTHERS_WRITE) === 0 && ((mode & GROUP_WRITES) === 0 || gid === uid);
}

/** True for a folder that only this user, or root, can write to, and for a link of theirs to such a folder. */
export function isOwnFolder(path: string): boolean {
  try {
    const folder = statSync(path);
    // A link's own mode means nothing.
    return folder.isDirectory() && isOwn(folder) && isOwn({ ...lstatSync(path), mode: 0 });
  } catch {
    return false;
  }
}

export interface OwnFile {
  readonly text: string;
  /** Since the Unix epoch. */
  readonly changedMs: number;
}

/**
 * Reads a file that only this user, or root, can have written; `undefined` for every other, for one that is longer than
 * `bytesMax`, and for what is no file itself: a link, a folder, or a pipe, which would keep its reader waiting.
 */
export function readOwnFile(path: string, bytesMax: number): OwnFile | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    // Of what was opened, not of what has the name by now.
    const stat = fstatSync(file);
    if (!stat.isFile() || !isOwn(stat) || stat.size > bytesMax) return undefined;
    const bytes = Buffer.alloc(stat.size);
    const length = readSync(file, bytes, 0, bytes.length, 0);
    return { text: bytes.toString('utf8', 0, length), changedMs: stat.mtimeMs };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
