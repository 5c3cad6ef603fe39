import type { Database } from './database.ts';
import { type SqlRow, withoutNulls } from './row.ts';

/** A link that works once, as it is kept: the digest of its secret, never the secret. */
export interface OneTimeLinkRow {
  readonly digest: string;
  readonly purpose: 'invitation' | 'sign-in';
  /** Absent for an invitation that makes the account. */
  readonly accountId?: string;
  /** Whom an invitation is for. */
  readonly email?: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

const COLUMNS = `digest, purpose, account_id AS accountId, email, created_at_ms AS createdAtMs,
  expires_at_ms AS expiresAtMs`;

export class OneTimeLinkTable {
  readonly #insert;
  readonly #read;
  readonly #take;
  readonly #removeOf;

  constructor(database: Database) {
    this.#removeOf = database.prepare<[string]>('DELETE FROM one_time_link WHERE account_id = ?');
    const insert = database.prepare<[SqlRow<OneTimeLinkRow>]>(
      `INSERT INTO one_time_link (digest, purpose, account_id, email, created_at_ms, expires_at_ms)
       VALUES (@digest, @purpose, @accountId, @email, @createdAtMs, @expiresAtMs)`,
    );
    const replace = database.prepare<[string]>('DELETE FROM one_time_link WHERE email = ?');
    this.#insert = database.transaction((row: OneTimeLinkRow) => {
      if (row.email !== undefined) replace.run(row.email);
      insert.run({ ...row, accountId: row.accountId ?? null, email: row.email ?? null });
    });
    this.#read = database.prepare<[string, string, number], SqlRow<OneTimeLinkRow>>(
      `SELECT ${COLUMNS} FROM one_time_link WHERE digest = ? AND purpose = ? AND expires_at_ms > ?`,
    );
    this.#take = database.prepare<[string, string, number], SqlRow<OneTimeLinkRow>>(
      `DELETE FROM one_time_link WHERE digest = ? AND purpose = ? AND expires_at_ms > ? RETURNING ${COLUMNS}`,
    );
  }

  /** Keeps a link, and forgets a former invitation of the same address. */
  insert(row: OneTimeLinkRow): void {
    this.#insert.immediate(row);
  }

  /** `undefined` for a link that is unknown, used, expired at `atMs`, or of another purpose. */
  read(digest: string, purpose: OneTimeLinkRow['purpose'], atMs: number): OneTimeLinkRow | undefined {
    const row = this.#read.get(digest, purpose, atMs);
    return row && withoutNulls<OneTimeLinkRow>(row);
  }

  /** The same, and the link is used up: of all who take it one gets it. */
  take(digest: string, purpose: OneTimeLinkRow['purpose'], atMs: number): OneTimeLinkRow | undefined {
    const row = this.#take.get(digest, purpose, atMs);
    return row && withoutNulls<OneTimeLinkRow>(row);
  }

  /** Removes what would open this account. */
  removeOf(accountId: string): void {
    this.#removeOf.run(accountId);
  }
}
