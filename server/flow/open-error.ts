/** Advice to the operator when a file or folder cannot be opened or made, by the system's and SQLite's codes. */
const REASONS: readonly (readonly [codes: RegExp, reason: string])[] = [
  [/^(EEXIST|ENOTDIR)$/, 'a file is where a folder has to be; move it away or use another data directory'],
  [/^EISDIR$/, 'a folder is where a file has to be; move it away or use another data directory'],
  [/^(EROFS|SQLITE_READONLY)/, 'it cannot be written: the file system is read-only, or the file is'],
  [/^(EACCES|EPERM)$/, 'this user may not; let the user own the data directory or use another one'],
  [/^SQLITE_(CANTOPEN|PERM|AUTH)/, 'it cannot be opened; let the user own the data directory and what is in it'],
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, 'the disk is full; make room'],
  [/^SQLITE_BUSY/, 'another program holds it; end that one'],
  [/^SQLITE_NOTADB/, 'it is no database; move it away, or put a copy of the right one back'],
  [/^SQLITE_CORRUPT/, 'the database is damaged; put a copy of it back'],
  [/^(EIO|SQLITE_IOERR)/, 'the disk does not read or write it'],
];

/** A required file or folder cannot be opened. The message names it and says what to do. */
export class OpenError extends Error {
  override readonly name = 'OpenError';
  /** The system's or SQLite's. */
  readonly code: string;

  constructor(path: string, code: string, cause: unknown) {
    const reason = REASONS.find(([codes]) => codes.test(code))?.[1];
    const words = cause instanceof Error ? cause.message : String(cause);
    super(`${path}: ${reason === undefined ? words : `${reason} (${code})`}`, { cause });
    this.code = code;
  }
}

/** Opens or creates `path`; errors of the system or SQLite become an `OpenError`, others pass through. */
export function openOrExplain<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof OpenError) throw error;
    const { code, path: named } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string' || !/^(E[A-Z]+|SQLITE_\w+)$/.test(code)) throw error;
    throw new OpenError(named ?? path, code, error);
  }
}
