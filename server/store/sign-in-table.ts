import type { Database } from './database.ts';
import { type SqlRow, withoutNulls } from './row.ts';

/** A browser that is signed in to the dashboard: the digest of what its cookie holds, never the cookie. */
export interface SignInRow {
  readonly id: string;
  readonly accountId: string;
  readonly digest: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** A browser sign-in and the account that it acts as. */
export interface SignedIn {
  readonly id: string;
  readonly accountId: string;
  readonly organizationId: string;
  readonly accountName: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** When a request first came with it. */
  readonly usedAtMs?: number;
}

export class SignInTable {
  readonly #insert;
  readonly #find;
  readonly #holdLive;
  readonly #use;
  readonly #endUnused;
  readonly #end;
  readonly #endOthers;
  readonly #endAll;

  constructor(database: Database) {
    this.#insert = database.prepare<[SignInRow]>(
      `INSERT INTO dashboard_sign_in (id, account_id, digest, created_at_ms, expires_at_ms)
       VALUES (@id, @accountId, @digest, @createdAtMs, @expiresAtMs)`,
    );
    this.#find = database.prepare<[string, number], SqlRow<SignedIn>>(
      `SELECT s.id, s.account_id AS accountId, a.organization_id AS organizationId, a.name AS accountName,
         s.created_at_ms AS createdAtMs, s.expires_at_ms AS expiresAtMs, s.used_at_ms AS usedAtMs
       FROM dashboard_sign_in s JOIN account a ON a.id = s.account_id WHERE s.digest = ? AND s.expires_at_ms > ?`,
    );
    this.#holdLive = database.prepare<[string, number]>(
      'UPDATE dashboard_sign_in SET id = id WHERE id = ? AND expires_at_ms > ?',
    );
    this.#use = database.prepare<[number, string]>(
      'UPDATE dashboard_sign_in SET used_at_ms = ? WHERE id = ? AND used_at_ms IS NULL',
    );
    this.#endUnused = database.prepare<[string]>('DELETE FROM dashboard_sign_in WHERE id = ? AND used_at_ms IS NULL');
    this.#end = database.prepare<[string]>('DELETE FROM dashboard_sign_in WHERE digest = ?');
    this.#endOthers = database.prepare<[string, string]>(
      'DELETE FROM dashboard_sign_in WHERE account_id = ? AND id <> ?',
    );
    this.#endAll = database.prepare<[string]>('DELETE FROM dashboard_sign_in WHERE account_id = ?');
  }

  insert(row: SignInRow): void {
    this.#insert.run(row);
  }

  /** `undefined` for one that is unknown, ended, or expired at `atMs`. */
  find(digest: string, atMs: number): SignedIn | undefined {
    const row = this.#find.get(digest, atMs);
    return row && withoutNulls<SignedIn>(row);
  }

  /** A request came with it. */
  use(id: string, atMs: number): void {
    this.#use.run(atMs, id);
  }

  /** Ends one that no request came with. False when there is none such of this id. */
  endUnused(id: string): boolean {
    return this.#endUnused.run(id).changes === 1;
  }

  /** False for a sign-in of this id that is unknown, ended, or expired at `atMs`. It counts as written; see `KeyTable.holdLive`. */
  holdLive(id: string, atMs: number): boolean {
    return this.#holdLive.run(id, atMs).changes === 1;
  }

  end(digest: string): void {
    this.#end.run(digest);
  }

  /** Ends all of an account's sign-ins but `keptId`. */
  endOthers(accountId: string, keptId: string): void {
    this.#endOthers.run(accountId, keptId);
  }

  /** Ends all of an account's sign-ins; how many that were. */
  endAll(accountId: string): number {
    return this.#endAll.run(accountId).changes;
  }
}
