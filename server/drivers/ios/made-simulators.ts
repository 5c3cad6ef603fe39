import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { DeviceFault } from '../../device/fault.ts';
import type { ToolEnvironment } from '../../device/target.ts';
import { isRemoved } from '../kept-file.ts';
import { isOver } from '../process/is-over.ts';
import { agesOf } from '../process/process-ages.ts';
import type { Simulator } from './simulator-list.ts';
import { isUdid, type Udid } from './udid.ts';

/**
 * Simulators outlive a service that is killed, and a restart of the Mac. Each is noted before it is made, under a name that
 * nobody guesses, and then by its UDID: what the next service removes is what stands in the notes, and nothing that a person
 * has made and named alike.
 */

interface Note {
  readonly name: string;
  readonly udid?: Udid;
  /** The process that it belongs to. */
  readonly owner: number;
  /** Since the Unix epoch. */
  readonly notedMs: number;
  /** Its owner does not know whether it was made. */
  readonly abandoned?: true;
  /** Absolute path of the file of the snapshot that it is for: it stays for as long as that is there. */
  readonly file?: string;
  /** The file was written: from then on it alone decides, whoever runs. */
  readonly written?: true;
}

export interface MadeSimulator {
  readonly name: string;
  /** Its UDID is known from now on. Throws an `unavailable` fault where that cannot be written. */
  made(udid: Udid): void;
  /** The file of its snapshot was written. Throws an `unavailable` fault where that cannot be noted. */
  written(): void;
  /** It is unknown whether it was made: it is removed when it is seen. */
  abandon(): void;
  /** It is gone, or was never made. */
  forget(): void;
}

/** Maximum time that the creation of a simulator still takes after the service that requested it has ended. */
const BEING_MADE_MS_MAX = 600_000;
/** A process that began this long after a note has not written it, however the clock was set meanwhile. */
const START_SLACK_MS = 600_000;
const PRIVATE_MODE = 0o700;
const OTHERS = 0o077;

let count = 0;

export class MadeSimulators {
  readonly #folder: string;
  readonly #tools: ToolEnvironment;

  /** @param tools whose `HOME` has the notes, as it has the simulators themselves */
  constructor(tools: ToolEnvironment) {
    this.#tools = tools;
    this.#folder = join(tools.HOME || homedir(), 'Library', 'Application Support', 'runcloud', 'simulators');
  }

  /**
   * Notes one that is about to be made; throws an `unavailable` fault where that cannot be written.
   * @param file of the snapshot that it is for
   */
  note(file?: string): MadeSimulator {
    const name = `runcloud-${process.pid}-${++count}-${randomBytes(8).toString('hex')}`;
    const path = join(this.#folder, name);
    let note: Note = { name, owner: process.pid, notedMs: Date.now(), ...(file === undefined ? {} : { file }) };
    const write = (more: Partial<Note>) => {
      note = { ...note, ...more };
      this.#write(path, note);
    };
    write({});
    return {
      name,
      made: (udid) => write({ udid }),
      written: () => write({ written: true }),
      abandon: () => write({ abandoned: true }),
      forget: () => rmSync(path, { force: true }),
    };
  }

  /** The simulators that ended processes have left behind, and those of snapshots whose files are gone. */
  async leftBehind(simulators: readonly Simulator[]): Promise<readonly Udid[]> {
    const isLive = (note: Note) => !isOver(note.owner, note.notedMs) && !isReleased(note) && note.owner === process.pid;
    const left = await this.#withoutOwner(this.#read().filter((note) => !isKept(note) && !isLive(note)));
    return left.flatMap((note) => {
      const found = simulators.filter(isOf(note));
      const isGone = found.length === 0 && Date.now() - note.notedMs > BEING_MADE_MS_MAX;
      if (isGone) rmSync(join(this.#folder, note.name), { force: true });
      return found.map(({ udid }) => udid);
    });
  }

  /** Tells where the file of a snapshot is now, which may have been moved with its folder. */
  isIn(file: string, kept: Udid): void {
    for (const note of this.#read()) {
      if (note.udid === kept && note.file !== undefined && note.file !== file) {
        this.#write(join(this.#folder, note.name), { ...note, file });
      }
    }
  }

  /** How many of the simulators snapshots have, and how many of them are being made. */
  keptCount(simulators: readonly Simulator[]): number {
    const isComing = ({ udid, notedMs }: Note) => udid === undefined && Date.now() - notedMs < BEING_MADE_MS_MAX;
    return this.#read().filter((note) => note.file !== undefined && (isComing(note) || simulators.some(isOf(note))))
      .length;
  }

  async #withoutOwner(notes: readonly Note[]): Promise<readonly Note[]> {
    const others = notes.filter((note) => !isOver(note.owner, note.notedMs) && !isReleased(note));
    // Their numbers are in use: by the owner itself, or by a process that was given its number since.
    const ages = await agesOf(
      others.map(({ owner }) => owner),
      this.#tools,
    );
    const nowMs = Date.now();
    const began = ({ owner }: Note): number => nowMs - (ages?.get(owner) ?? Number.POSITIVE_INFINITY);
    return notes.filter((note) => !others.includes(note) || began(note) > note.notedMs + START_SLACK_MS);
  }

  #write(path: string, note: Note): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: PRIVATE_MODE });
      if (!isPrivate(this.#folder)) throw new Error('others can write there');
      const draft = `${this.#folder}/.${note.name}`;
      const file = openSync(draft, 'w', 0o600);
      try {
        writeFileSync(file, JSON.stringify(note));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(draft, path);
      syncFolder(this.#folder);
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unknown';
      throw new DeviceFault('unavailable', `What simulators are made cannot be noted in ${this.#folder}: ${why}.`);
    }
  }

  #read(): Note[] {
    try {
      if (!isPrivate(this.#folder)) return [];
      const names = readdirSync(this.#folder).filter((name) => name.startsWith('runcloud-'));
      return names.flatMap((name) => readNote(join(this.#folder, name), name) ?? []);
    } catch {
      return [];
    }
  }
}

const isOf =
  (note: Note) =>
  ({ udid, name }: Simulator): boolean =>
    udid === note.udid || name === note.name;

/** Its owner has no say in it any more. */
const isReleased = ({ abandoned, written }: Note): boolean => abandoned === true || written === true;

/** The simulator of a snapshot that is there. */
const isKept = ({ file, abandoned }: Note): boolean => file !== undefined && abandoned !== true && !isRemoved(file);

/** A user who can write to the folder chooses which simulators are removed. */
function isPrivate(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  return uid === process.getuid?.() && (mode & OTHERS) === 0;
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function readNote(path: string, noteFile: string): Note | undefined {
  try {
    const { name, udid, owner, notedMs, abandoned, file, written } = JSON.parse(
      readFileSync(path, 'utf8'),
    ) as Partial<Note>;
    if (name !== noteFile || !Number.isSafeInteger(owner) || Number(owner) < 1 || !Number.isFinite(notedMs))
      return undefined;
    return {
      name,
      owner: Number(owner),
      notedMs: Number(notedMs),
      ...(abandoned === true ? { abandoned } : {}),
      ...(typeof file === 'string' && isAbsolute(file) ? { file } : {}),
      ...(written === true ? { written } : {}),
      ...(isUdid(udid ?? '') ? { udid: udid as Udid } : {}),
    };
  } catch {
    return undefined;
  }
}
