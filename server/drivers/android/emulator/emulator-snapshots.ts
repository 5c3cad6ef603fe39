import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeptFile, SnapshotSource } from '../../../device/driver.ts';
import { DeviceFault } from '../../../device/fault.ts';
import { damaged, isRemoved, readKept, writeKept } from '../../kept-file.ts';
import { readOwnFile } from '../../process/own-file.ts';
import { askConsole, type ConsoleAddress } from './emulator-console.ts';

const FORMAT = 'runcloud emulator 1';
/** The state to which the emulator goes back at the end of a session that began with a snapshot. */
const BEFORE = 'runcloud-before';
const NAME = /^runcloud-[0-9a-f]{16}$/;
/** An emulator's memory is some gigabytes, which it writes or reads. */
const STATE_MS_MAX = 50_000;
/** Each takes as much of the disk as the emulator has memory, and what has changed on its own disk. */
const KEPT_MAX = 8;
const NOTE_BYTES_MAX = 8_192;

/** What an emulator keeps: `file` is that of the snapshot. */
interface Note {
  readonly file: string;
}

/**
 * Snapshots of an emulator that this service has started, by `avd snapshot` of its console ("Send emulator console commands" of
 * developer.android.com). The emulator keeps each state beside its AVD; the file of the snapshot tells which. What is kept is noted in
 * the folder of the AVD, before it is kept: a state whose file is gone is removed when the emulator is looked at next.
 */
export class EmulatorSnapshots {
  readonly #console: ConsoleAddress;
  readonly #avd: string;
  readonly #folder: string;

  /** @param folder the AVD's content */
  constructor(console: ConsoleAddress, avd: string, folder: string) {
    this.#console = console;
    this.#avd = avd;
    this.#folder = join(folder, 'runcloud-snapshots');
  }

  /**
   * Keeps the state of the emulator, whose guest stands still meanwhile, and writes the snapshot's file. Rejects with a `DeviceFault`;
   * what the emulator keeps then goes later.
   */
  async keep(file: string, signal: AbortSignal): Promise<KeptFile> {
    await this.sweep();
    if (this.#names().length >= KEPT_MAX) {
      const why = `The emulator of "${this.#avd}" keeps ${KEPT_MAX} snapshots at most, and has them: delete one.`;
      throw new DeviceFault('failed', why);
    }
    const name = `runcloud-${randomBytes(8).toString('hex')}`;
    this.#note(name, { file });
    await this.#ask('save', name, signal);
    const kept = await writeKept(file, FORMAT, JSON.stringify({ avd: this.#avd, name }), signal);
    return { ...kept, onlyOn: this.#avd };
  }

  /**
   * Brings the emulator to the state of a snapshot, and keeps the state that it had for `end`. Rejects with a `DeviceFault`: `damaged` for
   * a snapshot that cannot be had any more.
   */
  async begin(source: SnapshotSource): Promise<void> {
    const { avd, name } = (await readKept(source, FORMAT)) as { readonly avd?: unknown; readonly name?: unknown };
    if (avd !== this.#avd || typeof name !== 'string' || !NAME.test(name)) {
      throw damaged(source.name, `it is not one of the emulator of "${this.#avd}"`);
    }
    // The folder of snapshots may have been moved.
    this.#note(name, { file: source.file });
    this.#note(BEFORE, { file: '' });
    await this.#ask('save', BEFORE);
    try {
      await this.#ask('load', name);
    } catch (error) {
      if (error instanceof DeviceFault && error.kind === 'failed') throw damaged(source.name, error.message);
      throw error;
    }
  }

  /** Whether `begin` was called, and neither `end` nor `stay` since, by this process or one before it. */
  get isBegun(): boolean {
    return existsSync(join(this.#folder, BEFORE));
  }

  /** Brings the emulator to the state that it had before `begin`. Rejects with an `unavailable` fault where it does not take that. */
  async end(): Promise<void> {
    try {
      await this.#ask('load', BEFORE);
    } catch (error) {
      const why = error instanceof DeviceFault ? error.message : String(error);
      const remedy = `start it once with "emulator -avd ${this.#avd} -wipe-data", and remove ${this.#folder}`;
      throw new DeviceFault(
        'unavailable',
        `The emulator does not go back to what it was before a snapshot. ${why} If that does not pass, ${remedy}.`,
      );
    }
    await this.stay();
  }

  /** Leaves the emulator as it is: the state from before `begin` is in force, or another one of its owner's. */
  stay(): Promise<void> {
    return this.#remove(BEFORE);
  }

  /** Removes states whose files are gone. Rejects with a `DeviceFault` where the emulator says nothing. */
  async sweep(): Promise<void> {
    for (const name of this.#names()) {
      const file = readNote(join(this.#folder, name))?.file;
      if (file !== undefined && isRemoved(file)) await this.#remove(name);
    }
  }

  async #remove(name: string): Promise<void> {
    try {
      await this.#ask('del', name);
    } catch (error) {
      // One that it refuses to remove has never been.
      if (!(error instanceof DeviceFault) || error.kind !== 'failed') throw error;
    }
    rmSync(join(this.#folder, name), { force: true });
  }

  async #ask(verb: 'save' | 'load' | 'del', name: string, signal?: AbortSignal): Promise<void> {
    await askConsole(this.#console, [`avd snapshot ${verb} ${name}`], { signal, answerMsMax: STATE_MS_MAX });
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => NAME.test(name));
    } catch {
      return [];
    }
  }

  #note(name: string, note: Note): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(this.#folder, name), JSON.stringify(note), { mode: 0o600, flush: true });
    } catch {
      throw new DeviceFault('unavailable', 'What the emulator keeps cannot be noted in the folder of its AVD.');
    }
  }
}

/** `undefined` for what this service has not written. */
function readNote(path: string): Note | undefined {
  try {
    const { file } = JSON.parse(readOwnFile(path, NOTE_BYTES_MAX)?.text ?? '') as Partial<Note>;
    return typeof file === 'string' && file !== '' ? { file } : undefined;
  } catch {
    return undefined;
  }
}
