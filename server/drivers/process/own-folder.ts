import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOver } from './is-over.ts';

/** The content of a folder: an unpacked app, a picture for a simulator, the socket of a helper, or the data of a service that certifies a device. */
export type FolderKind = 'app' | 'media' | 'idb' | 'certify';

const NAME = /^runcloud-(?:app|media|idb|certify)-(\d{1,10})-/;

/** Makes an empty temporary folder that only this user can read. The caller removes it. */
export const makeOwnFolder = (kind: FolderKind): Promise<string> =>
  mkdtemp(join(tmpdir(), `runcloud-${kind}-${process.pid}-`));

/** Removes folders of this user's whose process is gone, such as a half unpacked app; tells how many there were. */
export async function removeLeftFolders(): Promise<number> {
  let removed = 0;
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const owner = NAME.exec(name)?.[1];
    if (owner === undefined) continue;
    const path = join(tmpdir(), name);
    try {
      const { uid, birthtimeMs } = await lstat(path);
      if (uid !== process.getuid?.() || !isOver(Number(owner), birthtimeMs)) continue;
      await rm(path, { recursive: true, force: true });
      removed++;
    } catch {
      // Another process was faster, or it cannot be removed now.
    }
  }
  return removed;
}
