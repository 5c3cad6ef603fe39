/** SQLite's primary codes for failures that are temporary or that an operator can fix, not errors of data or statements. */
const SQLITE_ERRORS = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|PERM|AUTH|PROTOCOL|NOMEM|NOLFS)(_|$)/;
const SQLITE_LOCKED = /^SQLITE_(BUSY|LOCKED|PROTOCOL)(_|$)/;
/** Codes of the system for a disk without room. */
const FULL: readonly unknown[] = ['ENOSPC', 'EDQUOT'];
/** The same for files. */
const FILE_ERRORS: readonly unknown[] = [...FULL, 'EROFS'];

/**
 * How a task handles a locked database: it is run `again`, since it had no effect; or it runs `at once` and handles its own
 * writes.
 */
export type Running = 'again' | 'at once';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * True for failures of the storage itself: locked, full, read-only or unreadable. The same request may succeed later.
 */
export function isStorageError(error: unknown): boolean {
  const code = codeOf(error);
  return FILE_ERRORS.includes(code) || (typeof code === 'string' && SQLITE_ERRORS.test(code));
}

/** True when a file cannot grow, as the disk or its owner's share of it is full. */
export const isDiskFull = (error: unknown): boolean => FULL.includes(codeOf(error));

/** True when another connection holds the database. Nothing was written, and waiting helps. */
export function isStorageLocked(error: unknown): boolean {
  const code = codeOf(error);
  return typeof code === 'string' && SQLITE_LOCKED.test(code);
}
