import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailure, EXIT } from '../failure.ts';

/** Longer than anything that is done under the lock: a holder that is older is gone, or asleep with its machine. */
const HELD_MS_MAX = 30_000;
/** How long to wait for others, who work one after the other. */
const WAIT_MS_MAX = 40_000;
const LOOK_AGAIN_MS = 40;

interface Holder {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
}

/** One process of this user at a time, by a file that only one can make. One that a dead process left is taken away. */
export class FileLock {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Rejects with the signal's reason, or when others hold the lock for too long. */
  async hold<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const holder: Holder = { id: randomBytes(9).toString('hex'), host: hostname(), pid: process.pid };
    const text = JSON.stringify(holder);
    const deadlineMs = performance.now() + WAIT_MS_MAX;
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    while (!(await this.#take(text))) {
      if (performance.now() > deadlineMs) throw busy();
      await this.#takeAwayIfLeft();
      await sleep(LOOK_AGAIN_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => signal.throwIfAborted());
    }
    try {
      return await work();
    } finally {
      if ((await this.#text()) === text) await rm(this.#path, { force: true });
    }
  }

  /** The file appears with its text in it: a reader never sees an empty one. */
  async #take(text: string): Promise<boolean> {
    const aside = `${this.#path}.${randomBytes(6).toString('hex')}`;
    try {
      await writeFile(aside, text, { flag: 'wx', mode: 0o600 });
      await link(aside, this.#path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') throw error;
        // This file system has no links.
        return writeFile(this.#path, text, { flag: 'wx', mode: 0o600 });
      });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      await rm(aside, { force: true });
    }
  }

  async #takeAwayIfLeft(): Promise<void> {
    const text = await this.#text();
    if (text === undefined || !(await this.#isLeft(text))) return;
    // A renaming tells which file was taken away: another process may have done the same and hold the lock by now.
    const aside = `${this.#path}.${randomBytes(6).toString('hex')}`;
    const renamed = await rename(this.#path, aside).then(
      () => true,
      () => false,
    );
    if (!renamed) return;
    if ((await readFile(aside, 'utf8')) !== text) await link(aside, this.#path).catch(() => undefined);
    await rm(aside, { force: true });
  }

  async #isLeft(text: string): Promise<boolean> {
    const { host, pid } = holderOf(text);
    if (host === hostname() && pid !== undefined && !isAlive(pid)) return true;
    const { mtimeMs } = (await stat(this.#path).catch(() => undefined)) ?? { mtimeMs: Number.POSITIVE_INFINITY };
    return Date.now() - mtimeMs > HELD_MS_MAX;
  }

  #text(): Promise<string | undefined> {
    return readFile(this.#path, 'utf8').catch(() => undefined);
  }
}

function holderOf(text: string): Partial<Holder> {
  try {
    return JSON.parse(text) as Partial<Holder>;
  } catch {
    return {};
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of somebody else cannot be asked, and lives.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

const busy = (): CommandFailure => {
  const message = 'Another "runcloud" of this user is renewing the sign-in, and does not come to an end.';
  return new CommandFailure(
    { ok: false, status: 'failed', error: { code: 'sign_in_busy', message, retryable: true } },
    EXIT.failed,
  );
};
