import type { Page, Span } from '../flow/page.ts';
import type { Database } from './database.ts';
import { NUMBER, type Placed, SPAN, type SpanParameters, spanParameters, toPage } from './page-rows.ts';
import { type SqlRow, withoutNulls } from './row.ts';

/** The grant of a program that was approved. All of its tokens end with it. */
export interface GrantRow {
  readonly id: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly deviceName?: string;
  /** The credential that approved it: a key, another program's grant, or a browser's sign-in. */
  readonly mintedBy?: string;
  readonly createdAtMs: number;
  /** When its newest refresh token expires. */
  readonly expiresAtMs: number;
  readonly lastUsedAtMs?: number;
  readonly revokedAtMs?: number;
}

/** A token as it is kept: its digest, never the token. */
export interface TokenRow {
  readonly digest: string;
  readonly grantId: string;
  readonly kind: 'access' | 'refresh';
  readonly expiresAtMs: number;
  /** When a refresh token was exchanged, or an access token was first used. */
  readonly usedAtMs?: number;
  /** Digest of the refresh token or device code that it was exchanged for. */
  readonly madeWith?: string;
}

/** A token with its grant, and what a request made with it acts as. */
export interface HeldToken extends Omit<TokenRow, 'madeWith'> {
  readonly accountId: string;
  readonly organizationId: string;
  readonly accountName: string;
  readonly clientId: string;
  readonly lastUsedAtMs?: number;
  readonly revokedAtMs?: number;
}

const GRANT = `id, account_id AS accountId, client_id AS clientId, device_name AS deviceName,
  minted_by AS mintedBy, created_at_ms AS createdAtMs, expires_at_ms AS expiresAtMs,
  last_used_at_ms AS lastUsedAtMs, revoked_at_ms AS revokedAtMs`;

export class TokenTable {
  readonly #insertGrant;
  readonly #insert;
  readonly #find;
  readonly #use;
  readonly #madeWith;
  readonly #forgetAccess;
  readonly #voidRefresh;
  readonly #renew;
  readonly #forgetExpired;
  readonly #markUsed;
  readonly #list;
  readonly #revoke;
  readonly #revokeAll;
  readonly #isKnown;
  readonly #holdLive;
  readonly #names;

  constructor(database: Database) {
    this.#insertGrant = database.prepare<[SqlRow<GrantRow>]>(
      `INSERT INTO token_grant (id, account_id, client_id, device_name, minted_by, created_at_ms, expires_at_ms)
       VALUES (@id, @accountId, @clientId, @deviceName, @mintedBy, @createdAtMs, @expiresAtMs)`,
    );
    this.#insert = database.prepare<[SqlRow<Omit<TokenRow, 'usedAtMs'>>]>(
      `INSERT INTO token (digest, grant_id, kind, expires_at_ms, made_with)
       VALUES (@digest, @grantId, @kind, @expiresAtMs, @madeWith)`,
    );
    this.#find = database.prepare<[string, string], SqlRow<HeldToken>>(
      `SELECT t.digest, t.grant_id AS grantId, t.kind, t.expires_at_ms AS expiresAtMs, t.used_at_ms AS usedAtMs,
         g.account_id AS accountId, a.organization_id AS organizationId, a.name AS accountName,
         g.client_id AS clientId, g.last_used_at_ms AS lastUsedAtMs, g.revoked_at_ms AS revokedAtMs
       FROM token t JOIN token_grant g ON g.id = t.grant_id JOIN account a ON a.id = g.account_id
       WHERE t.digest = ? AND t.kind = ?`,
    );
    this.#use = database.prepare<[number, string]>(
      'UPDATE token SET used_at_ms = ? WHERE digest = ? AND used_at_ms IS NULL',
    );
    this.#madeWith = database.prepare<[string], { usedAtMs: number | null }>(
      'SELECT used_at_ms AS usedAtMs FROM token WHERE made_with = ?',
    );
    this.#forgetAccess = database.prepare<[string]>(`DELETE FROM token WHERE made_with = ? AND kind = 'access'`);
    this.#voidRefresh = database.prepare<[number, string]>(
      'UPDATE token SET used_at_ms = ?, made_with = NULL WHERE made_with = ?',
    );
    this.#renew = database.prepare<[number, string]>('UPDATE token_grant SET expires_at_ms = ? WHERE id = ?');
    // Exchanged refresh tokens stay as long as they could have lived, so that a stolen one is noticed.
    this.#forgetExpired = database.prepare<[string, number]>(
      'DELETE FROM token WHERE grant_id = ? AND expires_at_ms <= ?',
    );
    this.#markUsed = database.prepare<[number, string]>('UPDATE token_grant SET last_used_at_ms = ? WHERE id = ?');
    this.#list = database.prepare<[SpanParameters & { accountId: string; atMs: number }], SqlRow<GrantRow> & Placed>(
      `SELECT ${GRANT}, ${NUMBER('token_grant')} FROM token_grant
       WHERE account_id = @accountId AND revoked_at_ms IS NULL AND expires_at_ms > @atMs AND ${SPAN('token_grant')}`,
    );
    this.#revoke = database.prepare<[{ accountId: string; id: string; atMs: number }]>(
      `UPDATE token_grant SET revoked_at_ms = @atMs
       WHERE account_id = @accountId AND id = @id AND revoked_at_ms IS NULL`,
    );
    this.#revokeAll = database.prepare<[{ accountId: string; atMs: number }]>(
      `UPDATE token_grant SET revoked_at_ms = @atMs
       WHERE account_id = @accountId AND revoked_at_ms IS NULL AND expires_at_ms > @atMs`,
    );
    this.#isKnown = database
      .prepare<[string, string], number>('SELECT 1 FROM token_grant WHERE account_id = ? AND id = ?')
      .pluck();
    this.#names = database.prepare<[string], SqlRow<Pick<GrantRow, 'clientId' | 'deviceName'>>>(
      'SELECT client_id AS clientId, device_name AS deviceName FROM token_grant WHERE id = ?',
    );
    this.#holdLive = database.prepare<[string]>(
      'UPDATE token_grant SET id = id WHERE id = ? AND revoked_at_ms IS NULL',
    );
  }

  /** The names of a grant, in any state. */
  names(grantId: string): Pick<GrantRow, 'clientId' | 'deviceName'> | undefined {
    const row = this.#names.get(grantId);
    return row && withoutNulls<Pick<GrantRow, 'clientId' | 'deviceName'>>(row);
  }

  insertGrant(row: GrantRow): void {
    const { deviceName = null, mintedBy = null } = row;
    this.#insertGrant.run({ ...row, deviceName, mintedBy, lastUsedAtMs: null, revokedAtMs: null });
  }

  /** Whether there is a grant of this id that is not revoked. It counts as written; see `KeyTable.holdLive`. */
  holdLive(grantId: string): boolean {
    return this.#holdLive.run(grantId).changes === 1;
  }

  insert(row: Omit<TokenRow, 'usedAtMs'>): void {
    this.#insert.run({ ...row, madeWith: row.madeWith ?? null });
  }

  /** Finds a token in any state: the caller checks its expiry, its use and whether its grant is revoked. */
  find(digest: string, kind: TokenRow['kind']): HeldToken | undefined {
    const row = this.#find.get(digest, kind);
    return row && withoutNulls<HeldToken>(row);
  }

  /** Marks a refresh token as exchanged, an access token as used; false when it was already. */
  use(digest: string, atMs: number): boolean {
    return this.#use.run(atMs, digest).changes === 1;
  }

  /**
   * Makes void the tokens that came of this refresh token or device code: the access token opens nothing any more, and the
   * refresh token counts as exchanged. False, with nothing changed, when one of them was used, or none came of it.
   */
  voidUnused(madeWith: string, atMs: number): boolean {
    const made = this.#madeWith.all(madeWith);
    if (made.length === 0 || made.some(({ usedAtMs }) => usedAtMs !== null)) return false;
    this.#forgetAccess.run(madeWith);
    this.#voidRefresh.run(atMs, madeWith);
    return true;
  }

  /** The grant lives on until `expiresAtMs`; its tokens that had expired by `nowMs` are forgotten. */
  renew(grantId: string, expiresAtMs: number, nowMs: number): void {
    this.#renew.run(expiresAtMs, grantId);
    this.#forgetExpired.run(grantId, nowMs);
  }

  markUsed(grantId: string, atMs: number): void {
    this.#markUsed.run(atMs, grantId);
  }

  /** The account's grants that are neither revoked nor expired at `atMs`, newest first. */
  list(accountId: string, atMs: number, span: Span): Page<GrantRow> {
    const rows = this.#list.all({ accountId, atMs, ...spanParameters(span) });
    return toPage(rows, span, (row) => withoutNulls<GrantRow>(row as SqlRow<GrantRow>));
  }

  /** `unknown` if the account has no such grant. A second revocation does not change the time of the first. */
  revoke(accountId: string, id: string, atMs: number): 'revoked' | 'was revoked' | 'unknown' {
    if (this.#revoke.run({ accountId, id, atMs }).changes === 1) return 'revoked';
    return this.#isKnown.get(accountId, id) === undefined ? 'unknown' : 'was revoked';
  }

  /** Revokes each live grant of the account and returns their number. */
  revokeAll(accountId: string, atMs: number): number {
    return this.#revokeAll.run({ accountId, atMs }).changes;
  }
}
