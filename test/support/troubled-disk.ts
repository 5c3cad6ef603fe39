import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Disks that fill up or refuse writes, for a folder of a test. What needs the system's leave says so by throwing. */

const isRoot = process.getuid?.() === 0;

/** As root, or by a `sudo` that asks nothing. */
function mount(program: 'mount' | 'umount', ...args: string[]): void {
  const [file, ...rest] = isRoot ? [program, ...args] : ['sudo', '-n', program, ...args];
  execFileSync(file ?? program, rest, { stdio: 'pipe' });
}

/** Why no small disk can be mounted here; `false` where one can. Where CI runs, the test fails instead. */
export function withoutMounts(): string | false {
  const folder = mkdtempSync(join(tmpdir(), 'runcloud-mount-'));
  try {
    new SmallDisk(folder, 64).remove();
    return false;
  } catch (error) {
    return process.env.CI ? false : `NO MOUNTS: a full disk is NOT tested (${String(error).split('\n')[0]})`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file system of its own in memory, of so many KiB. */
export class SmallDisk {
  readonly #folder: string;

  constructor(folder: string, kibibytes: number) {
    mkdirSync(folder, { recursive: true });
    mount('mount', '-t', 'tmpfs', '-o', `size=${kibibytes}k,mode=0777`, 'tmpfs', folder);
    this.#folder = folder;
  }

  /** Takes every byte that is left. */
  fill(): void {
    let step = Buffer.alloc(64 * 1024);
    while (step.length > 0) {
      try {
        writeFileSync(this.#ballast, step, { flag: 'a' });
      } catch {
        step = step.subarray(0, step.length >> 1);
      }
    }
  }

  /** Gives back so much of what `fill` took. */
  leave(bytes: number): void {
    truncateSync(this.#ballast, Math.max(0, statSync(this.#ballast).size - bytes));
  }

  /** Gives back what `fill` took. */
  relieve(): void {
    rmSync(this.#ballast, { force: true });
  }

  remove(): void {
    mount('umount', '-l', this.#folder);
  }

  get #ballast(): string {
    return join(this.#folder, 'ballast');
  }
}

/** From now on nothing can be made in a folder, while what is open can be written; returns what ends that. */
export function makeReadOnly(folder: string): () => void {
  if (!isRoot) {
    chmodSync(folder, 0o500);
    return () => chmodSync(folder, 0o700);
  }
  // Permissions do not bind root. What was opened before the folder was covered is open beneath.
  mount('mount', '--bind', folder, folder);
  mount('mount', '-o', 'remount,bind,ro', folder);
  return () => mount('umount', '-l', folder);
}
