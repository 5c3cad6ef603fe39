import { open, stat } from 'node:fs/promises';
import type { FileEntry, FileKind, FilePlace } from '@runcloud/protocol';
import { appOfRoot, LIMITS, newId } from '@runcloud/protocol/terms';
import { DeviceFault } from '../../../device/fault.ts';
import { ended, isKind, notEmpty, notThere, tooLong } from '../../../device/file-faults.ts';
import type { DeviceFiles, ListedFolder } from '../../../device/files.ts';
import { fileNameOf } from '../../file-name.ts';
import { withFileBytes } from '../adb/file-bytes.ts';
import { receiveFile, sendFile } from '../adb/file-sync.ts';
import type { GuestShell } from '../adb/guest-shell.ts';
import type { GuestApps } from './guest-apps.ts';
import { GuestFolder, type GuestStat } from './guest-folder.ts';
import { ASIDE, type LeftChanges, SHARED, SharedChanges } from './shared-changes.ts';

/** As long as a call may take. */
const TRANSFER_MS = LIMITS.interactionTimeoutMs.max;

/** A root as a device has it. */
interface Root {
  readonly folder: GuestFolder;
  /** Absent for the shared folder. */
  readonly app: string | undefined;
}

/** What there is along a path: each folder of it that is there, and what is at its end. */
interface Found {
  /** Paths of the folders above that are not there, outermost first. */
  readonly missing: readonly string[];
  readonly stat: GuestStat | undefined;
}

/**
 * The files of a device: its shared folder, whose contents adb's file service brings, and the folders of apps that can be debugged, which
 * `run-as` enters. Rejects with `DeviceFault`s.
 */
export class GuestFiles implements DeviceFiles {
  readonly #shell: GuestShell;
  readonly #apps: Pick<GuestApps, 'isBrought'>;
  readonly #changes: SharedChanges;

  /** @param left what the session has changed so far, if it goes on */
  constructor(shell: GuestShell, apps: Pick<GuestApps, 'isBrought'>, left?: LeftChanges) {
    this.#shell = shell;
    this.#apps = apps;
    this.#changes = new SharedChanges(shell, left);
  }

  async list(place: FilePlace, signal: AbortSignal): Promise<ListedFolder> {
    const { folder } = await this.#enter(place, signal);
    if (place.path !== '') {
      const { stat } = await this.#find(folder, place, signal);
      if (!stat) throw notThere(place);
      if (stat.kind !== 'folder') throw isKind(place, stat.kind, 'folder');
    }
    const texts = (await folder.names(place.path, signal)).map(fileNameOf);
    const names = texts.filter((text) => text !== undefined && !(isShared(place) && text === ASIDE)) as string[];
    names.sort((one, other) => (one < other ? -1 : 1));
    const told = names.slice(0, LIMITS.filesListed);
    const paths = told.map((name) => (place.path === '' ? name : `${place.path}/${name}`));
    const stats = await folder.stats(paths, signal);
    const entries = told.flatMap((name, index) => {
      // What went away meanwhile is not there.
      const stat = stats.get(paths[index] ?? '');
      return stat ? [entryOf(name, stat)] : [];
    });
    const unnamed = texts.filter((text) => text === undefined).length;
    return { entries, ...(told.length < names.length ? { truncated: true } : {}), ...(unnamed > 0 ? { unnamed } : {}) };
  }

  async pull(place: FilePlace, into: string, signal: AbortSignal): Promise<{ readonly byteSize: number }> {
    const { folder, app } = await this.#enter(place, signal);
    const { stat } = await this.#find(folder, place, signal);
    if (!stat) throw notThere(place);
    if (stat.kind !== 'file') throw isKind(place, stat.kind, 'file');
    if (stat.byteSize > LIMITS.fileBytes) throw tooLong(place, stat.byteSize);
    const file = await open(into, 'r+');
    let byteSize = 0;
    const take = async (piece: Uint8Array) => {
      // It may grow meanwhile.
      if (byteSize + piece.byteLength > LIMITS.fileBytes) throw tooLong(place, byteSize + piece.byteLength);
      await file.writeFile(piece);
      byteSize += piece.byteLength;
    };
    try {
      const path = folder.pathOf(place.path);
      if (app === undefined) await receiveFile(this.#shell, path, take, signal);
      else await folder.do(['cat', path], { signal, take, timeoutMs: TRANSFER_MS });
    } finally {
      await file.close();
    }
    return { byteSize };
  }

  async push(place: FilePlace, file: string, signal: AbortSignal) {
    const { folder, app } = await this.#enter(place, signal, true);
    const { path } = place;
    const { missing, stat: old } = await this.#find(folder, place, signal, true);
    if (old && old.kind !== 'file') throw isKind(place, old.kind, 'file');
    const aside = `${app === undefined ? `${ASIDE}/` : '.runcloud-'}${newId('req').slice(4)}.part`;
    const { size } = await stat(file);
    try {
      await this.#send(folder, app, aside, file, signal);
      const sent = (await folder.stats([aside], signal)).get(aside);
      if (sent?.byteSize !== size) {
        throw new DeviceFault('failed', `The device has ${sent?.byteSize ?? 0} of ${size} bytes of the file.`);
      }
      if (app === undefined) {
        await this.#changes.beforeFolders(missing, signal);
        await this.#changes.beforeWrite(path, old !== undefined, signal);
      }
      const above = missing.at(-1);
      if (above !== undefined) await folder.do(['mkdir', '-p', folder.pathOf(above)], { signal });
      await folder.do(['mv', '-f', folder.pathOf(aside), folder.pathOf(path)], { signal });
    } catch (error) {
      // The call is over, and its signal with it.
      await folder.do(['rm', '-f', folder.pathOf(aside)]).catch(() => undefined);
      throw error;
    }
    const there = (await folder.stats([path], signal)).get(path);
    if (!there) throw new DeviceFault('failed', 'The device took the file, and does not have it.');
    return { byteSize: there.byteSize, ...modified(there) };
  }

  async remove(place: FilePlace, signal: AbortSignal): Promise<{ readonly kind: FileKind }> {
    const { folder, app } = await this.#enter(place, signal, true);
    const { stat } = await this.#find(folder, place, signal);
    if (!stat) throw notThere(place);
    const path = folder.pathOf(place.path);
    if (stat.kind === 'folder') {
      if ((await folder.names(place.path, signal)).length > 0) throw notEmpty(place);
      if (app === undefined) await this.#changes.removeFolder(place.path, signal);
      else await folder.do(['rmdir', path], { signal });
    } else if (app === undefined) await this.#changes.removeFile(place.path, signal);
    else await folder.do(['rm', '-f', path], { signal });
    return { kind: stat.kind };
  }

  /** Brings a file to where it is not looked for. */
  async #send(folder: GuestFolder, app: string | undefined, aside: string, file: string, signal: AbortSignal) {
    const path = folder.pathOf(aside);
    if (app === undefined) return sendFile(this.#shell, path, file, signal);
    await withFileBytes(file, (input) =>
      folder.do(['dd', 'bs=65536', `of=${path}`], { signal, input, timeoutMs: TRANSFER_MS }),
    );
  }

  /** @param changes whether something there is to be changed */
  async #enter(place: FilePlace, signal: AbortSignal, changes = false): Promise<Root> {
    const app = appOfRoot(place.root);
    if (app === undefined) {
      if (place.path.split('/')[0] === ASIDE) throw notThere(place);
      return { folder: new GuestFolder(this.#shell, SHARED), app };
    }
    const isBrought = await this.#apps.isBrought(app, signal);
    if (changes && !isBrought) {
      throw new DeviceFault(
        'failed',
        `The app ${app} was on the device before the session, and its folder stays as it is.`,
      );
    }
    // It begins in the folder of the app.
    return { folder: new GuestFolder(this.#shell, './', ['run-as', app]), app };
  }

  /** @param mayMiss whether folders of the path may be made */
  async #find(folder: GuestFolder, place: FilePlace, signal: AbortSignal, mayMiss = false): Promise<Found> {
    if (signal.aborted) throw ended();
    const names = place.path.split('/');
    const paths = names.map((_, index) => names.slice(0, index + 1).join('/'));
    const stats = await folder.stats(paths, signal);
    const above = paths.slice(0, -1);
    for (const path of above) {
      const stat = stats.get(path);
      if (stat?.kind === 'link') throw isKind({ ...place, path }, 'link');
      if (stat && stat.kind !== 'folder')
        throw mayMiss ? isKind({ ...place, path }, stat.kind, 'folder') : notThere(place);
    }
    return { missing: above.filter((path) => !stats.has(path)), stat: stats.get(place.path) };
  }
}

const isShared = ({ root, path }: FilePlace): boolean => appOfRoot(root) === undefined && path === '';

const modified = ({ modifiedMs }: GuestStat): Pick<FileEntry, 'modifiedAt'> => {
  const at = new Date(modifiedMs);
  return Number.isNaN(at.getTime()) || modifiedMs < 0 ? {} : { modifiedAt: at.toISOString() };
};

function entryOf(name: string, stat: GuestStat): FileEntry {
  const { kind, byteSize } = stat;
  return { name, kind, ...(kind === 'file' ? { byteSize } : {}), ...modified(stat) };
}
