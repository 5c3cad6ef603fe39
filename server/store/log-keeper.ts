import { closeSync, fdatasyncSync, fstatSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from './database.ts';
import { Sqlite } from './sqlite.ts';

/**
 * Pages of the log from which on they are moved into the database's file: 16 MiB. Whoever writes next begins the log anew, and
 * waits for the disk. An account that creates and releases as many sessions as it may writes so much in a quarter of a minute.
 */
export const CHECKPOINT_PAGES = 4_000;
/**
 * A log of so many pages is never at rest for long enough to be begun anew. Then writers are held up until it has been
 * moved, for as long as the last few of its pages take.
 */
export const RESTART_PAGES = 16_000;
/** How long that waits for a writer or a reader. */
const RESTART_WAIT_MS = 20;

/** The result of a checkpoint, with the names of SQLite. */
interface LogLength {
  readonly log: number;
  readonly checkpointed: number;
}

/** A checkpoint whose fsync failed: the system may have forgotten what it could not write, and say "done" next time. */
const UNSYNCED: readonly unknown[] = ['SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_DIR_FSYNC'];

/**
 * The write-ahead log of a database that another thread writes: puts it on disk and moves it into the database's file. Both
 * wait for the disk, which is why they are done here.
 */
export class LogKeeper {
  readonly #file: number;
  readonly #database: Database;

  /**
   * @param path of the database, whose log is there already. The database's own file is opened by SQLite alone: closing any
   *   other descriptor of it would drop the locks of the whole process.
   */
  constructor(path: string) {
    this.#file = openSync(`${path}-wal`, 'r+');
    this.#database = new Sqlite(path, { fileMustExist: true, timeout: RESTART_WAIT_MS });
    // A checkpoint writes the log to disk before it copies from it, and the database's file before the log is begun anew.
    for (const pragma of ['synchronous = FULL', 'fullfsync = ON', 'wal_autocheckpoint = 0'])
      this.#database.pragma(pragma);
    const folder = openSync(dirname(path), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  }

  /** Returns when everything that was in the log at the call is on disk. Throws the system's error. */
  sync(): void {
    fdatasyncSync(this.#file);
    if (fstatSync(this.#file).nlink === 0) throw new Error('the write-ahead log was removed under the running server');
  }

  /**
   * Moves the log into the database's file where it has grown long. Throws SQLite's error; `isLost` tells whether trying
   * again can help.
   */
  checkpoint(): void {
    if (this.#left('NOOP') < CHECKPOINT_PAGES) return;
    const left = this.#left('PASSIVE');
    if (left > 0 && this.#length('NOOP').log >= RESTART_PAGES) this.#left('RESTART');
  }

  close(): void {
    this.#database.close();
    closeSync(this.#file);
  }

  #left(mode: 'NOOP' | 'PASSIVE' | 'RESTART'): number {
    const { log, checkpointed } = this.#length(mode);
    return log - checkpointed;
  }

  #length(mode: 'NOOP' | 'PASSIVE' | 'RESTART'): LogLength {
    const [length] = this.#database.pragma(`wal_checkpoint(${mode})`) as LogLength[];
    return length ?? { log: 0, checkpointed: 0 };
  }
}

/** Whether what a checkpoint has written may be gone although it looks written. */
export function isLost(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && UNSYNCED.includes(error.code);
}
