import type { FileEntry, FileKind, FilePlace } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import { DeviceFault } from '../device/fault.ts';
import { isKind, notEmpty, notThere } from '../device/file-faults.ts';
import type { ListedFolder } from '../device/files.ts';
import type { PhoneClock } from './clock.ts';
import type { SavedFile } from './saved-files.ts';

/** A phone keeps its files in memory, and a snapshot has them as base64. */
export const PHONE_FILES = { bytesMax: 16_777_216, entriesMax: 1_000 } as const;

interface StoredFile {
  readonly kind: 'file';
  readonly bytes: Uint8Array;
  readonly modifiedMs: number;
}

interface Folder {
  readonly kind: 'folder';
  readonly children: Map<string, Stored>;
  modifiedMs: number;
}

type Stored = StoredFile | Folder;

const folder = (modifiedMs: number): Folder => ({ kind: 'folder', children: new Map(), modifiedMs });
const byName = ([one]: readonly [string, Stored], [other]: readonly [string, Stored]) => (one < other ? -1 : 1);

/** The files of one phone, by roots: the shared folder, and those of apps. Paths are checked before they come here. */
export class PhoneFiles {
  readonly #clock: Pick<PhoneClock, 'wallMs'>;
  readonly #onChange: () => void;
  readonly #roots = new Map<string, Folder>();
  #bytes = 0;
  #entries = 0;

  constructor(clock: Pick<PhoneClock, 'wallMs'>, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** What is in a folder, by name. Throws a `DeviceFault` where there is none. */
  list(place: FilePlace): ListedFolder {
    const found = this.#find(place);
    if (found.kind !== 'folder') throw isKind(place, found.kind, 'folder');
    const all = [...found.children].sort(byName);
    const entries = all.slice(0, LIMITS.filesListed).map(([name, stored]) => entryOf(name, stored));
    return { entries, ...(all.length > entries.length ? { truncated: true } : {}) };
  }

  read(place: FilePlace): Uint8Array {
    const found = this.#find(place);
    if (found.kind !== 'file') throw isKind(place, found.kind, 'file');
    return found.bytes;
  }

  /** Puts a file in its place, with the folders of its path; changes nothing where it throws a `DeviceFault`. */
  write(place: FilePlace, bytes: Uint8Array): FileEntry {
    const { root, path } = place;
    const names = path.split('/');
    const name = names.pop() ?? '';
    let above = this.#roots.get(root) ?? folder(0);
    let missing = 0;
    for (const [index, part] of names.entries()) {
      const next = above.children.get(part);
      if (next && next.kind !== 'folder') {
        throw isKind({ root, path: names.slice(0, index + 1).join('/') }, next.kind, 'folder');
      }
      above = next ?? folder(0);
      if (!next) missing++;
    }
    const old = above.children.get(name);
    if (old && old.kind !== 'file') throw isKind(place, old.kind, 'file');
    const grown = bytes.byteLength - (old?.bytes.byteLength ?? 0);
    const more = missing + (old ? 0 : 1);
    if (this.#bytes + grown > PHONE_FILES.bytesMax || this.#entries + more > PHONE_FILES.entriesMax) {
      const { bytesMax, entriesMax } = PHONE_FILES;
      throw new DeviceFault(
        'failed',
        `The phone has room for ${bytesMax} bytes in ${entriesMax} files and folders, and has ${this.#bytes} in ${this.#entries}.`,
      );
    }
    const modifiedMs = this.#clock.wallMs();
    let into = this.#rootOf(root, true);
    for (const part of names) into = this.#childOf(into, part, modifiedMs);
    if (!old) into.modifiedMs = modifiedMs;
    const stored: StoredFile = { kind: 'file', bytes, modifiedMs };
    into.children.set(name, stored);
    this.#bytes += grown;
    this.#entries += more;
    this.#onChange();
    return entryOf(name, stored);
  }

  /** Deletes a file or an empty folder; returns what it was. */
  remove(place: FilePlace): FileKind {
    const { root, path } = place;
    const found = this.#find(place);
    if (found.kind === 'folder' && found.children.size > 0) throw notEmpty(place);
    const at = path.lastIndexOf('/');
    const above = this.#find({ root, path: at < 0 ? '' : path.slice(0, at) });
    if (above.kind !== 'folder') throw notThere(place);
    above.children.delete(path.slice(at + 1));
    above.modifiedMs = this.#clock.wallMs();
    this.#entries--;
    if (found.kind === 'file') this.#bytes -= found.bytes.byteLength;
    this.#onChange();
    return found.kind;
  }

  /** Removes all that is below a root. */
  clear(root: string): void {
    const top = this.#roots.get(root);
    if (!top) return;
    this.#roots.delete(root);
    this.#forget(top);
    this.#onChange();
  }

  #forget({ children }: Folder): void {
    for (const stored of children.values()) {
      this.#entries--;
      if (stored.kind === 'file') this.#bytes -= stored.bytes.byteLength;
      else this.#forget(stored);
    }
  }

  /** What is below each root, folders before what is in them. */
  save(): readonly SavedFile[] {
    const saved: SavedFile[] = [];
    const add = (root: string, at: string, { children }: Folder) => {
      for (const [name, stored] of [...children].sort(byName)) {
        const path = at === '' ? name : `${at}/${name}`;
        const { modifiedMs } = stored;
        if (stored.kind === 'folder') {
          saved.push({ root, path, modifiedMs });
          add(root, path, stored);
        } else saved.push({ root, path, modifiedMs, base64: Buffer.from(stored.bytes).toString('base64') });
      }
    };
    for (const [root, top] of [...this.#roots].sort(byName)) add(root, '', top);
    return saved;
  }

  /** Has these, and no other. */
  restore(saved: readonly SavedFile[]): void {
    this.#roots.clear();
    this.#bytes = 0;
    this.#entries = 0;
    for (const { root, path, modifiedMs, base64 } of saved) {
      const names = path.split('/');
      const name = names.pop() ?? '';
      let into = this.#rootOf(root, true);
      for (const part of names) into = this.#childOf(into, part, modifiedMs);
      const bytes = base64 === undefined ? undefined : new Uint8Array(Buffer.from(base64, 'base64'));
      into.children.set(name, bytes ? { kind: 'file', bytes, modifiedMs } : folder(modifiedMs));
      this.#bytes += bytes?.byteLength ?? 0;
      this.#entries++;
    }
    this.#onChange();
  }

  #rootOf(root: string, create: boolean): Folder {
    const known = this.#roots.get(root);
    if (known) return known;
    const made = folder(0);
    if (create) this.#roots.set(root, made);
    return made;
  }

  #childOf({ children }: Folder, name: string, modifiedMs: number): Folder {
    const known = children.get(name);
    if (known?.kind === 'folder') return known;
    const made = folder(modifiedMs);
    children.set(name, made);
    return made;
  }

  #find(place: FilePlace): Stored {
    let found: Stored = this.#rootOf(place.root, false);
    if (place.path === '') return found;
    for (const name of place.path.split('/')) {
      const next: Stored | undefined = found.kind === 'folder' ? found.children.get(name) : undefined;
      if (!next) throw notThere(place);
      found = next;
    }
    return found;
  }
}

function entryOf(name: string, stored: Stored): FileEntry {
  const modifiedAt = new Date(stored.modifiedMs).toISOString();
  if (stored.kind === 'folder') return { name, kind: 'folder', modifiedAt };
  return { name, kind: 'file', byteSize: stored.bytes.byteLength, modifiedAt };
}
