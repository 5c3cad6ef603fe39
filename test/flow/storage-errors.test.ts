import t from 'tap';
import { isStorageError, isStorageLocked } from '../../server/flow/storage-errors.ts';

const failure = (code: unknown) => Object.assign(new Error('x'), { code });

t.test(
  'locked, full, read-only and unreadable storage is trouble; faults in data and statements are not',
  async (t) => {
    const trouble = [
      'SQLITE_BUSY',
      'SQLITE_BUSY_SNAPSHOT',
      'SQLITE_LOCKED',
      'SQLITE_FULL',
      'SQLITE_IOERR',
      'SQLITE_IOERR_WRITE',
      'SQLITE_IOERR_FSYNC',
      'SQLITE_READONLY',
      'SQLITE_READONLY_DBMOVED',
      'SQLITE_CANTOPEN',
      'ENOSPC',
      'EDQUOT',
      'EROFS',
    ];
    for (const code of trouble) t.ok(isStorageError(failure(code)), code);
    const faults = [
      'SQLITE_CONSTRAINT_UNIQUE',
      'SQLITE_ERROR',
      'SQLITE_CORRUPT',
      'SQLITE_NOTADB',
      'ENOENT',
      7,
      undefined,
    ];
    for (const code of faults) t.notOk(isStorageError(failure(code)), String(code));
    t.notOk(isStorageError('SQLITE_BUSY'));
  },
);

t.test('only a lock is worth waiting for', async (t) => {
  for (const code of ['SQLITE_BUSY', 'SQLITE_BUSY_RECOVERY', 'SQLITE_LOCKED'])
    t.ok(isStorageLocked(failure(code)), code);
  for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_LOCK', 'ENOSPC']) t.notOk(isStorageLocked(failure(code)), code);
});
