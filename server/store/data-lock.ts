import { join } from 'node:path';
import { OpenError, openOrExplain } from '../flow/open-error.ts';
import { prepareFolder } from './database.ts';
import { Sqlite } from './sqlite.ts';

/** Another server works on this data directory. */
export class DataDirectoryInUse extends Error {
  constructor(dataDir: string) {
    super(`another server uses the data directory ${dataDir}`);
  }
}

/**
 * Keeps a data directory for one server: two would end each other's sessions. The lock is SQLite's own lock on a file of
 * its own, which the operating system takes back however the process ends. The returned function gives it back.
 */
export function lockDataDirectory(dataDir: string): () => void {
  prepareFolder(dataDir);
  const path = join(dataDir, 'server.lock');
  const database = openOrExplain(path, () => new Sqlite(path, { timeout: 0 }));
  try {
    openOrExplain(path, () => database.exec('BEGIN EXCLUSIVE'));
  } catch (error) {
    database.close();
    if (error instanceof OpenError && error.code === 'SQLITE_BUSY') throw new DataDirectoryInUse(dataDir);
    throw error;
  }
  return () => database.close();
}
