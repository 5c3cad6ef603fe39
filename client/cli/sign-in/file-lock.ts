import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailure, EXIT } from '../failure.ts';

/** Longer than anything that is done under the lock: a holder that is older is gone, or asleep with its machine. */
const HELD_MS_MAX = 30_000;
/** Maximum wait for other processes. */
const WAIT_MS_MAX = 40_000;
const LOOK_AGAIN_MS = 40;
/** Error codes of a rename onto a folder that is not empty. */
const HELD_CODES: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM']);

interface Holder {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
}

/**
 * One process of this user at a time, by a folder that only one can put in its place, with a note of its holder in it. What
 * a dead process left is taken away by the name of its note, which no other holder's has: a lock that somebody took in the
 * meantime stays.
 */
export class FileLock {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Rejects with the signal's reason, or when others hold the lock for too long. */
  async hold<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const holder: Holder = { id: randomBytes(9).toString('hex'), host: hostname(), pid: process.pid };
    const deadlineMs = performance.now() + WAIT_MS_MAX;
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    while (!(await this.#take(holder))) {
      if (performance.now() > deadlineMs) throw busy();
      await this.#takeAwayIfLeft();
      await sleep(LOOK_AGAIN_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => signal.throwIfAborted());
    }
    try {
      return await work();
    } finally {
      await this.#remove(holder.id);
    }
  }

  /** The folder appears with its note in it: a reader never sees one that is held and empty. */
  async #take(holder: Holder): Promise<boolean> {
    const aside = `${this.#path}.${randomBytes(6).toString('hex')}`;
    try {
      await mkdir(aside, { mode: 0o700 });
      await writeFile(join(aside, holder.id), JSON.stringify(holder), { mode: 0o600 });
      // It takes the place of none, or of an empty one.
      await rename(aside, this.#path);
      return true;
    } catch (error) {
      if (HELD_CODES.has((error as NodeJS.ErrnoException).code ?? '')) return false;
      throw error;
    } finally {
      await rm(aside, { recursive: true, force: true });
    }
  }

  async #takeAwayIfLeft(): Promise<void> {
    const notes = await readdir(this.#path).catch(() => []);
    for (const note of notes) if (await isLeft(join(this.#path, note))) await this.#remove(note);
    // Its holder ended between its two steps.
    if (notes.length === 0) await rmdir(this.#path).catch(() => undefined);
  }

  async #remove(note: string): Promise<void> {
    await rm(join(this.#path, note), { force: true });
    // A lock that is held again is not empty and stays.
    await rmdir(this.#path).catch(() => undefined);
  }
}

async function isLeft(note: string): Promise<boolean> {
  const text = await readFile(note, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const { host, pid } = holderOf(text);
  if (host === hostname() && pid !== undefined && !isAlive(pid)) return true;
  const { mtimeMs } = (await stat(note).catch(() => undefined)) ?? { mtimeMs: Number.POSITIVE_INFINITY };
  return Date.now() - mtimeMs > HELD_MS_MAX;
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
    // EPERM: the process belongs to another user and is alive.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

const busy = (): CommandFailure => {
  const message = 'Another "runcloud" process of this user has been renewing the sign-in for too long.';
  return new CommandFailure(
    { ok: false, status: 'failed', error: { code: 'sign_in_busy', message, retryable: true } },
    EXIT.failed,
  );
};
