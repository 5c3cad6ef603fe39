import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openOrExplain } from '../flow/open-error.ts';
import { migrate } from './migrations.ts';
import { type Database, Sqlite } from './sqlite.ts';

export type { Database };

/** How long a statement waits for another process's write lock before it fails with `SQLITE_BUSY`. */
const BUSY_TIMEOUT_MS = 5_000;
const OPEN_RETRY_MS = 20;

/**
 * Whether a commit waits for the disk. With `NORMAL` it does not: a killed process loses nothing, and a power cut loses at
 * most the last transactions, never the file. With `FULL` it does: an acknowledged change also survives a power cut.
 */
export type Durability = 'NORMAL' | 'FULL';

/** As SQLite numbers `synchronous`. */
const SYNCHRONOUS = { NORMAL: 1, FULL: 2 } as const satisfies Record<Durability, number>;

/** Where the database lies inside a data directory; the server and the admin command must agree. */
export function databasePath(dataDir: string): string {
  return join(dataDir, 'runcloud.db');
}

/** Makes a data directory, for its owner alone. */
export function prepareFolder(dataDir: string): void {
  openOrExplain(dataDir, () => mkdirSync(dataDir, { recursive: true, mode: 0o700 }));
}

function expectPragma(database: Database, pragma: string, expected: string | number): void {
  const found = database.pragma(pragma, { simple: true });
  if (found !== expected) throw new Error(`SQLite answers ${pragma} = ${found} where ${expected} was set`);
}

function prepare(database: Database, durability: Durability): void {
  database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${durability}`);
  database.pragma('foreign_keys = ON');
  // Where the system tells writing to the drive from writing to its cache (macOS): to the drive.
  database.pragma('fullfsync = ON');
  expectPragma(database, 'busy_timeout', BUSY_TIMEOUT_MS);
  expectPragma(database, 'journal_mode', 'wal');
  expectPragma(database, 'synchronous', SYNCHRONOUS[durability]);
  expectPragma(database, 'foreign_keys', 1);
  migrate(database);
}

function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/**
 * Makes the file where it is absent, for its owner alone. One that is there is not opened: closing a descriptor of it would
 * drop the locks that this process holds on it through SQLite.
 */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Opens the database file, made with its folder when it is absent (file 0600, folder 0700: it holds the secrets that
 * sign tokens), and brings it to this build's version. More than one process may have it open. The caller closes it.
 * Throws `NewerDatabaseError` for a database of a newer build, and `OpenError`.
 */
export function openDatabase(path: string, durability: Durability = 'NORMAL'): Database {
  prepareFolder(dirname(path));
  return openOrExplain(path, () => open(path, durability));
}

function open(path: string, durability: Durability): Database {
  makeFile(path);
  const database = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
  const deadlineMs = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      prepare(database, durability);
      return database;
    } catch (error) {
      // SQLite does not wait when two processes turn a new file into WAL at once; one of them has to ask again.
      if (isBusy(error) && performance.now() < deadlineMs) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_RETRY_MS);
        continue;
      }
      database.close();
      throw error;
    }
  }
}
