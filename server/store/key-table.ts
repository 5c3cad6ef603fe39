import type { Page, Span } from '../flow/page.ts';
import type { Database } from './database.ts';
import { NUMBER, type Placed, SPAN, type SpanParameters, spanParameters, toPage } from './page-rows.ts';
import { type SqlRow, withoutNulls } from './row.ts';

/** An API key as it is kept: its digest, never the key. */
export interface KeyRow {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** SHA-256 of the whole key, 64 lower-case hex digits. */
  readonly digest: string;
  readonly createdAtMs: number;
  readonly revokedAtMs?: number;
  /** Absent for a key that lives until it is revoked. */
  readonly expiresAtMs?: number;
  /** The credential that it was made with: a key, a program's grant, or a browser's sign-in. Absent for the operator's. */
  readonly mintedBy?: string;
  /** Behind the truth by up to a minute. */
  readonly lastUsedAtMs?: number;
}

/** A key that was made or revoked, with what a request made with it acts as. */
export interface KeyChange {
  readonly keyId: string;
  readonly digest: string;
  readonly accountId: string;
  readonly organizationId: string;
  readonly accountName: string;
  readonly expiresAtMs: number | null;
  /** 1 for a key that has been revoked. */
  readonly revoked: 0 | 1;
  readonly revision: number;
}

export interface KeyUse {
  readonly keyId: string;
  readonly atMs: number;
}

const COLUMNS = `id, account_id AS accountId, name, digest, created_at_ms AS createdAtMs,
  revoked_at_ms AS revokedAtMs, expires_at_ms AS expiresAtMs, last_used_at_ms AS lastUsedAtMs,
  minted_by AS mintedBy`;

// Every making and revoking takes the next number, whichever process does it: a reader asks for what is newer than the
// newest that it has seen.
export const NEXT_REVISION = '(SELECT coalesce(max(revision), 0) + 1 FROM api_key)';

/** A key at its making. */
export type NewKeyRow = Omit<KeyRow, 'revokedAtMs' | 'lastUsedAtMs'> & {
  /** Of a key that the operator chose: it stays known for good, so that it cannot come back once it is revoked. */
  readonly given?: boolean;
};

export class KeyTable {
  readonly #insert;
  readonly #byId;
  readonly #byDigest;
  readonly #list;
  readonly #page;
  readonly #count;
  readonly #holdLive;
  readonly #revoke;
  readonly #given;
  readonly #markGiven;
  readonly #unrevoked;
  readonly #mintedWith;
  readonly #changedSince;
  readonly #markUsed;
  #localWrites = 0;
  #restarts = 0;

  constructor(database: Database) {
    this.#insert = database.prepare<[SqlRow<Omit<NewKeyRow, 'given'>> & { given: 0 | 1 }]>(
      `INSERT INTO api_key (id, account_id, name, digest, revision, created_at_ms, expires_at_ms, given, minted_by)
       VALUES (@id, @accountId, @name, @digest, ${NEXT_REVISION}, @createdAtMs, @expiresAtMs, @given, @mintedBy) ON CONFLICT (digest) DO NOTHING`,
    );
    this.#byId = database.prepare<[string], SqlRow<KeyRow>>(`SELECT ${COLUMNS} FROM api_key WHERE id = ?`);
    this.#byDigest = database.prepare<[string], SqlRow<KeyRow>>(`SELECT ${COLUMNS} FROM api_key WHERE digest = ?`);
    this.#list = database.prepare<[string], SqlRow<KeyRow>>(
      `SELECT ${COLUMNS} FROM api_key WHERE account_id = ? ORDER BY created_at_ms, rowid`,
    );
    this.#page = database.prepare<[SpanParameters & { accountId: string }], SqlRow<KeyRow> & Placed>(
      `SELECT ${COLUMNS}, ${NUMBER('api_key')} FROM api_key
       WHERE account_id = @accountId AND revoked_at_ms IS NULL AND ${SPAN('api_key')}`,
    );
    this.#count = database
      .prepare<[string], number>('SELECT count(*) FROM api_key WHERE account_id = ? AND revoked_at_ms IS NULL')
      .pluck();
    this.#holdLive = database.prepare<[string]>('UPDATE api_key SET id = id WHERE id = ? AND revoked_at_ms IS NULL');
    this.#revoke = database.prepare<[{ id: string; atMs: number }]>(
      `UPDATE api_key SET revoked_at_ms = @atMs, revision = ${NEXT_REVISION} WHERE id = @id AND revoked_at_ms IS NULL`,
    );
    this.#unrevoked = database
      .prepare<[string], string>('SELECT id FROM api_key WHERE account_id = ? AND revoked_at_ms IS NULL')
      .pluck();
    this.#mintedWith = database
      .prepare<[{ accountId: string; id: string }], string>(
        `WITH RECURSIVE made (id) AS (
           VALUES (@id)
           UNION SELECT k.id FROM api_key k JOIN made m ON k.minted_by = m.id WHERE k.account_id = @accountId
           UNION SELECT g.id FROM token_grant g JOIN made m ON g.minted_by = m.id WHERE g.account_id = @accountId)
         SELECT id FROM made WHERE id <> @id`,
      )
      .pluck();
    this.#given = database
      .prepare<[string, string], string>(
        'SELECT id FROM api_key WHERE account_id = ? AND given = 1 AND digest <> ? AND revoked_at_ms IS NULL',
      )
      .pluck();
    this.#markGiven = database.prepare<[string]>('UPDATE api_key SET given = 1 WHERE id = ? AND given = 0');
    this.#changedSince = database.prepare<[number], KeyChange>(
      `SELECT k.id AS keyId, k.digest, k.account_id AS accountId, a.organization_id AS organizationId,
         a.name AS accountName, k.expires_at_ms AS expiresAtMs, k.revoked_at_ms IS NOT NULL AS revoked, k.revision
       FROM api_key k JOIN account a ON a.id = k.account_id WHERE k.revision > ? ORDER BY k.revision`,
    );
    const markUsed = database.prepare<[KeyUse]>(
      'UPDATE api_key SET last_used_at_ms = max(coalesce(last_used_at_ms, 0), @atMs) WHERE id = @keyId',
    );
    this.#markUsed = database.transaction((uses: readonly KeyUse[]) => {
      for (const use of uses) markUsed.run(use);
    });
  }

  /** How many keys this object made and revoked: SQLite's `data_version` tells of other connections' writes only. */
  get localWrites(): number {
    return this.#localWrites;
  }

  /** How often changes were taken back: what `changedSince` has told before then may be untrue, and its numbers are given again. */
  get restarts(): number {
    return this.#restarts;
  }

  startOver(): void {
    this.#restarts += 1;
  }

  /** False, with nothing written, when the digest is known already. */
  insert(row: NewKeyRow): boolean {
    this.#localWrites += 1;
    return (
      this.#insert.run({
        ...row,
        expiresAtMs: row.expiresAtMs ?? null,
        given: row.given ? 1 : 0,
        mintedBy: row.mintedBy ?? null,
      }).changes === 1
    );
  }

  byId(id: string): KeyRow | undefined {
    const row = this.#byId.get(id);
    return row && withoutNulls<KeyRow>(row);
  }

  byDigest(digest: string): KeyRow | undefined {
    const row = this.#byDigest.get(digest);
    return row && withoutNulls<KeyRow>(row);
  }

  /** One account's keys, oldest first, the revoked ones with them. */
  list(accountId: string): KeyRow[] {
    return this.#list.all(accountId).map((row) => withoutNulls<KeyRow>(row));
  }

  /** One account's keys that are not revoked, newest first. */
  page(accountId: string, span: Span): Page<KeyRow> {
    const rows = this.#page.all({ accountId, ...spanParameters(span) });
    return toPage(rows, span, (row) => withoutNulls<KeyRow>(row as SqlRow<KeyRow>));
  }

  /**
   * Whether the key is not revoked. It counts as written, so that what is written in the same transaction is not kept if another process
   * revokes the key meanwhile.
   */
  holdLive(id: string): boolean {
    return this.#holdLive.run(id).changes === 1;
  }

  /** How many keys of an account are not revoked. */
  count(accountId: string): number {
    return this.#count.get(accountId) ?? 0;
  }

  /** False when the key is unknown or already revoked; the first time of revocation stands. */
  revoke(id: string, atMs: number): boolean {
    this.#localWrites += 1;
    return this.#revoke.run({ id, atMs }).changes === 1;
  }

  /**
   * Ids of the account's keys and programs that were created or approved with this credential, or with one of those in turn.
   * Revoked ones are included, since the credentials that they created may still be valid.
   */
  mintedWith(accountId: string, id: string): string[] {
    return this.#mintedWith.all({ accountId, id });
  }

  /** Revokes each of the account's keys and returns their number. */
  revokeAll(accountId: string, atMs: number): number {
    // One by one, since each revocation gets a change number of its own.
    return this.#unrevoked.all(accountId).filter((id) => this.revoke(id, atMs)).length;
  }

  /** Ids of the account's unrevoked keys that the operator gave, but for the one of this digest. */
  otherGiven(accountId: string, digest: string): string[] {
    return this.#given.all(accountId, digest);
  }

  /** The operator gave this key: it stays known for good from now on. False when it was marked so before. */
  markGiven(id: string): boolean {
    return this.#markGiven.run(id).changes === 1;
  }

  /** Keys made or revoked after `revision`, in that order; 0 gives all of them. */
  changedSince(revision: number): KeyChange[] {
    return this.#changedSince.all(revision);
  }

  /** Writes all of `uses` in one transaction. */
  markUsed(uses: readonly KeyUse[]): void {
    this.#markUsed.immediate(uses);
  }
}
