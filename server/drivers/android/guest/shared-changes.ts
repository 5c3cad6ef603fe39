import { DeviceFault } from '../../../device/fault.ts';
import { sendFile } from '../adb/file-sync.ts';
import type { GuestShell } from '../adb/guest-shell.ts';
import { GuestFolder } from './guest-folder.ts';

/** The folder that apps share. */
export const SHARED = '/sdcard/';
/** The service's own folder in it: files on their way, what was there before, and the journal. Media scanners pass over such names. */
export const ASIDE = '.runcloud-session';
const JOURNAL = `${ASIDE}/journal`;
const CHANGES_MAX = 500;
const UNDO_MS_MAX = 4_000;

/**
 * What a session changes: `new` a file where there was none, `old` one in the place of another or none any more, `made` a folder where there was
 * none, `gone` none where there was one.
 */
const CHANGES = ['new', 'old', 'made', 'gone'] as const;
type Change = (typeof CHANGES)[number];

interface Entry {
  readonly change: Change;
  readonly path: string;
}

/** What a session has changed whose process was killed. */
export interface LeftChanges {
  readonly entries: readonly Entry[];
  /** Paths of files of which what was there before is kept, or known not to have been. */
  readonly secured: readonly string[];
}

const keptAt = (index: number): string => `${ASIDE}/${index}.old`;

/**
 * What a session changes in the shared folder of a device, so that it can be taken back: a journal on the device itself, where it
 * outlives this process. Each change is in it before it is made, so that a journal that is cut off undoes no more than was done.
 */
export class SharedChanges {
  readonly #shell: GuestShell;
  readonly #folder: GuestFolder;
  readonly #entries: Entry[];
  /** Files of which what was there before is kept, or known not to have been: an entry alone may be of a call that was cut off. */
  readonly #secured: Set<string>;

  /** @param left of a session that goes on */
  constructor(shell: GuestShell, { entries, secured }: LeftChanges = { entries: [], secured: [] }) {
    this.#shell = shell;
    this.#folder = new GuestFolder(shell, SHARED);
    this.#entries = [...entries];
    this.#secured = new Set(secured);
  }

  /** Called before a file is put at a path. @param isThere whether a file is there */
  async beforeWrite(path: string, isThere: boolean, signal: AbortSignal): Promise<void> {
    if (this.#secured.has(path)) return;
    const index = await this.#note(isThere ? 'old' : 'new', path, signal);
    if (!isThere) return void this.#secured.add(path);
    // A copy that was cut off must not be put back.
    const [from, copy, kept] = [path, `${ASIDE}/copy`, keptAt(index)].map((each) => this.#folder.pathOf(each));
    await this.#folder.do(['cp', '-p', from ?? '', copy ?? ''], { signal, timeoutMs: 60_000 });
    await this.#folder.do(['mv', '-f', copy ?? '', kept ?? ''], { signal });
    this.#secured.add(path);
  }

  /** Called before folders are made, outermost first. */
  async beforeFolders(paths: readonly string[], signal: AbortSignal): Promise<void> {
    for (const path of paths) if (!this.#knowsFolder(path)) await this.#note('made', path, signal);
  }

  /** Deletes a file, which is kept if the session did not bring it. */
  async removeFile(path: string, signal: AbortSignal): Promise<void> {
    const from = this.#folder.pathOf(path);
    if (this.#secured.has(path)) return void (await this.#folder.do(['rm', '-f', from], { signal }));
    const index = await this.#note('old', path, signal);
    await this.#folder.do(['mv', '-f', from, this.#folder.pathOf(keptAt(index))], { signal });
    this.#secured.add(path);
  }

  async removeFolder(path: string, signal: AbortSignal): Promise<void> {
    if (!this.#knowsFolder(path)) await this.#note('gone', path, signal);
    await this.#folder.do(['rmdir', this.#folder.pathOf(path)], { signal });
  }

  #knowsFolder(path: string): boolean {
    return this.#entries.some((entry) => entry.path === path && (entry.change === 'made' || entry.change === 'gone'));
  }

  async #note(change: Change, path: string, signal: AbortSignal): Promise<number> {
    if (this.#entries.length >= CHANGES_MAX) {
      throw new DeviceFault(
        'failed',
        `A session changes ${CHANGES_MAX} files and folders of the shared folder at most.`,
      );
    }
    const entries = [...this.#entries, { change, path }];
    const text = entries.map((entry) => `${entry.change} ${entry.path}\0`).join('');
    await sendFile(this.#shell, this.#folder.pathOf(`${JOURNAL}.part`), Buffer.from(text), signal);
    await this.#folder.do(['mv', '-f', this.#folder.pathOf(`${JOURNAL}.part`), this.#folder.pathOf(JOURNAL)], {
      signal,
    });
    this.#entries.push({ change, path });
    return this.#entries.length - 1;
  }
}

/** Reads what the session has changed so far that goes on. Rejects with a `DeviceFault` where the device does not answer. */
export async function readLeftChanges(shell: GuestShell): Promise<LeftChanges> {
  const folder = new GuestFolder(shell, SHARED);
  const isThere = async (path: string) => (await shell.run(['ls', '-d', folder.pathOf(path)])).exitCode === 0;
  if (!(await isThere(JOURNAL))) return { entries: [], secured: [] };
  const entries = readJournal(await folder.do(['cat', folder.pathOf(JOURNAL)]));
  const secured: string[] = [];
  for (const [index, { change, path }] of entries.entries()) {
    if (change === 'new' || (change === 'old' && (await isThere(keptAt(index))))) secured.push(path);
  }
  return { entries, secured };
}

/** Takes back what a session has changed in the shared folder, as far as it can. Rejects with a `DeviceFault` where the device does not answer. */
export async function undoSharedChanges(shell: GuestShell): Promise<void> {
  const folder = new GuestFolder(shell, SHARED);
  const { exitCode } = await shell.run(['ls', '-d', folder.pathOf(ASIDE)]);
  if (exitCode !== 0) return;
  const options = { timeoutMs: UNDO_MS_MAX };
  const journal = await folder.do(['cat', folder.pathOf(JOURNAL)]).catch(() => Buffer.alloc(0));
  for (const [index, { change, path }] of [...readJournal(journal).entries()].reverse()) {
    const at = folder.pathOf(path);
    // What an app has done there meanwhile may be in the way.
    const run = (words: readonly string[]) => shell.run(words, options);
    if (change === 'new') await run(['rm', '-f', at]);
    else if (change === 'made') await run(['rmdir', at]);
    else if (change === 'gone') await run(['mkdir', '-p', at]);
    else {
      const kept = folder.pathOf(keptAt(index));
      const { exitCode: isAway } = await run(['ls', '-d', kept]);
      if (isAway === 0) await run(['mv', '-f', kept, at]);
    }
  }
  await shell.must(['rm', '-rf', folder.pathOf(ASIDE)]);
}

/** Nothing but what this service writes is followed. */
function readJournal(journal: Buffer): readonly Entry[] {
  const entries: Entry[] = [];
  for (const text of journal.toString().split('\0')) {
    const [, change = '', path = ''] = /^([a-z]+) ([\s\S]+)$/.exec(text) ?? [];
    const known = CHANGES.find((each) => each === change);
    if (!known || isOutside(path) || entries.length === CHANGES_MAX) break;
    entries.push({ change: known, path });
  }
  return entries;
}

const isOutside = (path: string): boolean =>
  path.split('/').some((name) => name === '' || name === '.' || name === '..');
