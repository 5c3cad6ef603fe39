import { Sqlite } from '../store/sqlite.ts';

/**
 * Tells which of some sessions the service's own database still has. It is asked a few times an hour, so that it is opened for
 * each question. `undefined` when it cannot be read now.
 */
export function keptSessions(path: string): (ids: readonly string[]) => ReadonlySet<string> | undefined {
  return (ids) => {
    try {
      const database = new Sqlite(path, { readonly: true, fileMustExist: true });
      try {
        const kept = database.prepare<[string], string>(
          'SELECT id FROM session WHERE id IN (SELECT value FROM json_each(?))',
        );
        return new Set(kept.pluck().all(JSON.stringify(ids)));
      } finally {
        database.close();
      }
    } catch {
      return undefined;
    }
  };
}
