import { closeSync, mkdirSync, openSync, statfsSync, symlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { appBundle, appFolders } from './app-bundle.ts';
import { PackageFault, shown } from './package-fault.ts';
import { ZipArchive } from './zip-archive.ts';

const FOLDER_MODE = 0o755;
const EXECUTABLE_MODE = 0o755;
const FILE_MODE = 0o644;
/** Left to everybody else on the disk. */
const HEADROOM_BYTES = 64 * 2 ** 20;

/**
 * Unpacks the iOS app of an archive into a folder that is empty. Only what the checked directory names comes to be, with
 * its links and executable bits; no file is ever written through a link, or over another one.
 * @param file a zipped `.app` or an `.ipa`
 * @returns the app's folder, from `into`
 * @throws PackageFault
 */
export async function unpackApp(file: string, into: string): Promise<string> {
  const fd = openSync(file, 'r');
  try {
    const archive = await ZipArchive.open(fd);
    const [folder, other] = appFolders(archive);
    if (folder === undefined || other !== undefined)
      throw new PackageFault('The package does not have exactly one app.');
    const bundle = appBundle(archive, folder);
    refuseFull(
      into,
      bundle.files.reduce((sum, name) => sum + archive.sizeOf(name), 0),
    );
    for (const path of bundle.folders) mkdirSync(join(into, path), { mode: FOLDER_MODE });
    for (const name of bundle.files) await writeFile(archive, name, join(into, name));
    for (const { name, target } of bundle.links) symlinkSync(target, join(into, name));
    return folder.slice(0, -1);
  } finally {
    closeSync(fd);
  }
}

function refuseFull(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < bytes + HEADROOM_BYTES) throw new PackageFault(`There is no room for the app's ${bytes} bytes.`);
}

async function writeFile(archive: ZipArchive, name: string, path: string): Promise<void> {
  const fd = openSync(path, 'wx', archive.isExecutable(name) ? EXECUTABLE_MODE : FILE_MODE);
  try {
    let bytes = 0;
    let crc = 0;
    for await (const piece of archive.pieces(name)) {
      for (let done = 0; done < piece.length; ) done += writeSync(fd, piece, done);
      bytes += piece.length;
      crc = crc32(piece, crc);
    }
    if (!archive.isWhole(name, bytes, crc)) throw new PackageFault(`"${shown(name)}" is damaged.`);
  } finally {
    closeSync(fd);
  }
}
