import type { Database } from './database.ts';

export interface AccountRow {
  readonly id: string;
  readonly organizationId: string;
  /** Unique, whatever the case of its letters. */
  readonly name: string;
  readonly createdAtMs: number;
}

const COLUMNS = 'id, organization_id AS organizationId, name, created_at_ms AS createdAtMs';

export class AccountTable {
  readonly #insert;
  readonly #byName;
  readonly #byId;
  readonly #list;
  readonly #beginEpoch;
  readonly #reachEpoch;
  readonly #epochs;

  constructor(database: Database) {
    this.#insert = database.prepare<[AccountRow]>(
      `INSERT INTO account (id, organization_id, name, created_at_ms)
       VALUES (@id, @organizationId, @name, @createdAtMs) ON CONFLICT (name) DO NOTHING`,
    );
    this.#byName = database.prepare<[string], AccountRow>(`SELECT ${COLUMNS} FROM account WHERE name = ?`);
    this.#byId = database.prepare<[string], AccountRow>(`SELECT ${COLUMNS} FROM account WHERE id = ?`);
    this.#list = database.prepare<[], AccountRow>(`SELECT ${COLUMNS} FROM account ORDER BY created_at_ms, rowid`);
    this.#beginEpoch = database.prepare<[string]>('UPDATE account SET epoch = epoch + 1 WHERE id = ?');
    this.#reachEpoch = database.prepare<[number, string, number]>(
      'UPDATE account SET epoch = ? WHERE id = ? AND epoch < ?',
    );
    this.#epochs = database.prepare<[], { id: string; epoch: number }>('SELECT id, epoch FROM account WHERE epoch > 0');
  }

  /** False, with nothing written, when the name is taken. */
  insert(row: AccountRow): boolean {
    return this.#insert.run(row).changes === 1;
  }

  byName(name: string): AccountRow | undefined {
    return this.#byName.get(name);
  }

  byId(id: string): AccountRow | undefined {
    return this.#byId.get(id);
  }

  /** Oldest first. */
  list(): AccountRow[] {
    return this.#list.all();
  }

  /** Invalidates every signature that was made for the account before. */
  beginEpoch(id: string): void {
    this.#beginEpoch.run(id);
  }

  /** Brings the epoch of an account up to one that is told by another process. */
  reachEpoch(id: string, epoch: number): void {
    this.#reachEpoch.run(epoch, id, epoch);
  }

  /** The epochs of the accounts that are not in their first one any more. */
  epochs(): { readonly id: string; readonly epoch: number }[] {
    return this.#epochs.all();
  }
}
