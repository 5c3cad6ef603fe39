/** SQLite's primary codes for what may pass, or what an operator can mend, without a fault in the data or in our statements. */
const SQLITE_ERRORS = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|PERM|AUTH|PROTOCOL|NOMEM|NOLFS)(_|$)/;
const SQLITE_LOCKED = /^SQLITE_(BUSY|LOCKED|PROTOCOL)(_|$)/;
/** The same of files. */
const FILE_ERRORS: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EROFS'];

/**
 * What a task can bear that finds the database locked: to be run `again`, since it has had no effect by then; or it has to run
 * `at once`, and sees to its writes itself.
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

/** True when another connection holds the database. Nothing was written, and waiting helps. */
export function isStorageLocked(error: unknown): boolean {
  const code = codeOf(error);
  return typeof code === 'string' && SQLITE_LOCKED.test(code);
}
