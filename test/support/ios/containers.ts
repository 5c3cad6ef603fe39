import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { XcrunAnswer } from './xcrun-answer.ts';

const FILES_APP = 'com.apple.DocumentsApp';
const LOCAL_STORAGE = 'group.com.apple.FileProvider.LocalStorage';

/** The folders of a simulator's apps, on the disk of its host. */
export class Containers {
  /** Without it, the app Files has no group. */
  hasLocalStorage = true;
  #folder: string | undefined;

  copy(): Containers {
    const copy = new Containers();
    copy.hasLocalStorage = this.hasLocalStorage;
    if (this.#folder === undefined) return copy;
    copy.#folder = mkdtempSync(join(tmpdir(), 'runcloud-simulator-'));
    cpSync(this.#folder, copy.#folder, { recursive: true });
    return copy;
  }

  /** Of an app's own folder. */
  pathOf(bundle: string): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'runcloud-simulator-'));
    const path = join(this.#folder, bundle);
    mkdirSync(join(path, 'Documents'), { recursive: true });
    return path;
  }

  /** Where the app Files has what it calls "On My iPhone". */
  get shared(): string {
    return join(this.pathOf(LOCAL_STORAGE), 'File Provider Storage');
  }

  /** `get_app_container <device> <bundle identifier> [<container>]`, as its help has it: `app`, `data`, `groups`, or the name of a group. */
  answer([bundle = '', container = 'app']: readonly string[], isInstalled: (bundle: string) => boolean): XcrunAnswer {
    if (bundle !== FILES_APP && !isInstalled(bundle)) {
      const line = 'The operation couldn’t be completed. No such file or directory';
      return {
        exitCode: 2,
        stderr: `An error was encountered processing the command (domain=NSPOSIXErrorDomain, code=2):\n${line}\n`,
      };
    }
    if (container === 'data') return { stdout: `${this.pathOf(bundle)}\n` };
    if (container !== 'groups') return { exitCode: 64, stderr: 'Usage: simctl get_app_container\n' };
    if (bundle !== FILES_APP || !this.hasLocalStorage) return { stdout: '' };
    return {
      stdout: `group.com.apple.other\t${this.pathOf('other')}\n${LOCAL_STORAGE}\t${this.pathOf(LOCAL_STORAGE)}\n`,
    };
  }

  removed(bundle: string): void {
    if (this.#folder) rmSync(join(this.#folder, bundle), { recursive: true, force: true });
  }

  close(): void {
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}
