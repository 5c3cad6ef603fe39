import { PackageFault, shown } from './package-fault.ts';
import type { ZipArchive } from './zip-archive.ts';

/** Where apps lie in an `.ipa` and in a zipped `.app`. */
const APP_FOLDER = /^((?:Payload\/)?[^/]+\.app\/)Info\.plist$/;
const DEPTH_MAX = 64;

/** Folders of the archive that hold an iOS app, each with its slash. */
export function appFolders(archive: ZipArchive): string[] {
  const folders = [...archive.names].flatMap((name) => APP_FOLDER.exec(name)?.[1] ?? []);
  return folders.filter((folder) => !folder.startsWith('__MACOSX/'));
}

/** The contents of an app's folder, by paths in its archive. No path leads out of this folder. */
export interface AppBundle {
  /** Parents come before their children. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly links: readonly { readonly name: string; readonly target: string }[];
}

/**
 * Lists an app for unpacking, on a Mac, where names that differ in case or composition alone are one. Throws
 * `PackageFault` for names that fall together there, and for links that lead out of the app or hold files.
 */
export function appBundle(archive: ZipArchive, folder: string): AppBundle {
  const known = new Map<string, string>();
  const folders: string[] = [];
  const inside = (names: Iterable<string>) => [...names].filter((name) => name.startsWith(folder));
  const claim = (path: string) => {
    const key = path.normalize('NFC').toLowerCase();
    const other = known.get(key);
    if (other !== undefined) throw clash(path, other);
    known.set(key, path);
  };
  const isFolder = new Set<string>();
  const makeFolder = (path: string, depth = 0): void => {
    if (path === '' || isFolder.has(path)) return;
    if (depth > DEPTH_MAX) throw new PackageFault(`"${shown(path)}" is in more than ${DEPTH_MAX} folders.`);
    makeFolder(parentOf(path), depth + 1);
    claim(path);
    isFolder.add(path);
    folders.push(path);
  };
  const add = (name: string) => {
    makeFolder(parentOf(name));
    claim(name);
    return name;
  };
  for (const name of inside(archive.folders)) makeFolder(name.slice(0, -1));
  const files = inside(archive.names).map(add);
  const links = inside(archive.links).map((name) => {
    const target = archive.linkTarget(name);
    if (!staysInside(name.slice(folder.length), target)) {
      throw new PackageFault(`"${shown(name)}" is a symbolic link that leads out of the app.`);
    }
    return { name: add(name), target };
  });
  return { folders, files, links };
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const clash = (path: string, other: string) =>
  new PackageFault(`"${shown(path)}" and "${shown(other)}" are one and the same name on a Mac.`);

/**
 * Whether a link of an app leads to somewhere in it. It climbs at its beginning alone: from there on it may go over other
 * links, each of which stays inside by itself.
 * @param name of the link, from the app's folder
 */
function staysInside(name: string, target: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/^\/|[\x00-\x1f\x7f\\]/.test(target)) return false;
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const climbs = parts.findIndex((part) => part !== '..');
  if (climbs < 0 || parts.slice(climbs).includes('..')) return false;
  return climbs < name.split('/').length;
}
