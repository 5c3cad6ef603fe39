import type { Database } from './database.ts';

/** How an account's owner signs in to the dashboard. */
export interface PasswordRow {
  readonly accountId: string;
  /** Unique, whatever the case of its letters. */
  readonly email: string;
  /** With the parameters that it was made with; never the password. */
  readonly hash: string;
  readonly changedAtMs: number;
}

const COLUMNS = 'account_id AS accountId, email, hash, changed_at_ms AS changedAtMs';

export class PasswordTable {
  readonly #put;
  readonly #byEmail;
  readonly #byAccount;

  constructor(database: Database) {
    this.#put = database.prepare<[PasswordRow]>(
      `INSERT INTO password (account_id, email, hash, changed_at_ms) VALUES (@accountId, @email, @hash, @changedAtMs)
       ON CONFLICT (account_id) DO UPDATE SET email = @email, hash = @hash, changed_at_ms = @changedAtMs`,
    );
    this.#byEmail = database.prepare<[string], PasswordRow>(`SELECT ${COLUMNS} FROM password WHERE email = ?`);
    this.#byAccount = database.prepare<[string], PasswordRow>(`SELECT ${COLUMNS} FROM password WHERE account_id = ?`);
  }

  /** Takes the place of the account's former one. Throws SQLite's `SQLITE_CONSTRAINT_…` when another account has the address. */
  put(row: PasswordRow): void {
    this.#put.run(row);
  }

  byEmail(email: string): PasswordRow | undefined {
    return this.#byEmail.get(email);
  }

  byAccount(accountId: string): PasswordRow | undefined {
    return this.#byAccount.get(accountId);
  }
}
