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
  readonly takenAtMs?: number;
  /** The sign-in that it brought. */
  readonly opened?: string;
}

type NewLinkRow = Omit<OneTimeLinkRow, 'takenAtMs' | 'opened'>;

const COLUMNS = `digest, purpose, account_id AS accountId, email, created_at_ms AS createdAtMs,
  expires_at_ms AS expiresAtMs, taken_at_ms AS takenAtMs, opened`;

export class OneTimeLinkTable {
  readonly #insert;
  readonly #read;
  readonly #take;
  readonly #taken;
  readonly #open;
  readonly #removeOf;

  constructor(database: Database) {
    this.#removeOf = database.prepare<[string]>('DELETE FROM one_time_link WHERE account_id = ?');
    const insert = database.prepare<[SqlRow<NewLinkRow>]>(
      `INSERT INTO one_time_link (digest, purpose, account_id, email, created_at_ms, expires_at_ms)
       VALUES (@digest, @purpose, @accountId, @email, @createdAtMs, @expiresAtMs)`,
    );
    const replace = database.prepare<[string]>('DELETE FROM one_time_link WHERE email = ?');
    this.#insert = database.transaction((row: NewLinkRow) => {
      if (row.email !== undefined) replace.run(row.email);
      insert.run({ ...row, accountId: row.accountId ?? null, email: row.email ?? null });
    });
    this.#read = database.prepare<[string, string, number], SqlRow<OneTimeLinkRow>>(
      `SELECT ${COLUMNS} FROM one_time_link
       WHERE digest = ? AND purpose = ? AND expires_at_ms > ? AND taken_at_ms IS NULL`,
    );
    this.#take = database.prepare<[{ digest: string; purpose: string; atMs: number }], SqlRow<OneTimeLinkRow>>(
      `UPDATE one_time_link SET taken_at_ms = @atMs
       WHERE digest = @digest AND purpose = @purpose AND expires_at_ms > @atMs AND taken_at_ms IS NULL
       RETURNING ${COLUMNS}`,
    );
    this.#taken = database.prepare<[string, string, number, number], SqlRow<OneTimeLinkRow>>(
      `SELECT ${COLUMNS} FROM one_time_link
       WHERE digest = ? AND purpose = ? AND taken_at_ms > ? AND taken_at_ms <= ?`,
    );
    this.#open = database.prepare<[string, string]>('UPDATE one_time_link SET opened = ? WHERE digest = ?');
  }

  /** Keeps a link, and forgets a former invitation of the same address. */
  insert(row: NewLinkRow): void {
    this.#insert.immediate(row);
  }

  /** `undefined` for a link that is unknown, used, expired at `atMs`, or of another purpose. */
  read(digest: string, purpose: OneTimeLinkRow['purpose'], atMs: number): OneTimeLinkRow | undefined {
    const row = this.#read.get(digest, purpose, atMs);
    return row && withoutNulls<OneTimeLinkRow>(row);
  }

  /** The same, and the link is used up: of all who take it one gets it. */
  take(digest: string, purpose: OneTimeLinkRow['purpose'], atMs: number): OneTimeLinkRow | undefined {
    const row = this.#take.get({ digest, purpose, atMs });
    return row && withoutNulls<OneTimeLinkRow>(row);
  }

  /** A link that was used up after `afterMs` and up to `atMs`. */
  taken(digest: string, purpose: OneTimeLinkRow['purpose'], afterMs: number, atMs: number): OneTimeLinkRow | undefined {
    const row = this.#taken.get(digest, purpose, afterMs, atMs);
    return row && withoutNulls<OneTimeLinkRow>(row);
  }

  /** Notes which sign-in the link has brought. */
  open(digest: string, signInId: string): void {
    this.#open.run(signInId, digest);
  }

  /** Removes what would open this account. */
  removeOf(accountId: string): void {
    this.#removeOf.run(accountId);
  }
}
