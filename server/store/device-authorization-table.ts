import type { Database } from './database.ts';
import { type SqlRow, withoutNulls } from './row.ts';

/** A device authorization request (RFC 8628) with the digests of its two codes, never the codes themselves. */
export interface DeviceAuthorizationRow {
  /** Of the device code. */
  readonly digest: string;
  readonly userCodeDigest: string;
  readonly clientId: string;
  readonly deviceName?: string;
  /** Where it asked from. */
  readonly address: string;
  /** Whose requests are counted together: the address, or the network that one subscriber has. */
  readonly holder: string;
  readonly status: 'pending' | 'approved' | 'denied';
  /** The account that approved it. */
  readonly accountId?: string;
  /** The credential with which it was approved or denied. */
  readonly decidedBy?: string;
  /** The grant that the device code was exchanged for. */
  readonly grantId?: string;
  /** The shortest time between two polls. */
  readonly intervalMs: number;
  readonly polledAtMs?: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

const COLUMNS = `digest, user_code_digest AS userCodeDigest, client_id AS clientId, device_name AS deviceName, address, holder,
  status, account_id AS accountId, decided_by AS decidedBy, grant_id AS grantId, interval_ms AS intervalMs, polled_at_ms AS polledAtMs,
  created_at_ms AS createdAtMs, expires_at_ms AS expiresAtMs`;

export class DeviceAuthorizationTable {
  readonly #insert;
  readonly #byCode;
  readonly #byUserCode;
  readonly #polled;
  readonly #decide;
  readonly #exchange;
  readonly #forget;
  readonly #count;
  readonly #undecided;
  readonly #evict;
  readonly #removeOf;
  readonly #removeDecidedBy;

  constructor(database: Database) {
    this.#removeOf = database.prepare<[string]>('DELETE FROM device_authorization WHERE account_id = ?');
    this.#removeDecidedBy = database.prepare<[string]>('DELETE FROM device_authorization WHERE decided_by = ?');
    this.#insert = database.prepare<[SqlRow<Omit<DeviceAuthorizationRow, 'decidedBy' | 'grantId'>>]>(
      `INSERT INTO device_authorization (digest, user_code_digest, client_id, device_name, address, holder, status, account_id,
         interval_ms, polled_at_ms, created_at_ms, expires_at_ms)
       VALUES (@digest, @userCodeDigest, @clientId, @deviceName, @address, @holder, @status, @accountId,
         @intervalMs, @polledAtMs, @createdAtMs, @expiresAtMs)`,
    );
    this.#byCode = database.prepare<[string], SqlRow<DeviceAuthorizationRow>>(
      `SELECT ${COLUMNS} FROM device_authorization WHERE digest = ?`,
    );
    this.#byUserCode = database.prepare<[string], SqlRow<DeviceAuthorizationRow>>(
      `SELECT ${COLUMNS} FROM device_authorization WHERE user_code_digest = ?`,
    );
    this.#polled = database.prepare<[number, number, string]>(
      'UPDATE device_authorization SET polled_at_ms = ?, interval_ms = ? WHERE digest = ?',
    );
    this.#decide = database.prepare<[string, string | null, string | null, string]>(
      `UPDATE device_authorization SET status = ?, account_id = ?, decided_by = ?
       WHERE user_code_digest = ? AND status = 'pending'`,
    );
    this.#exchange = database.prepare<[string, string]>(
      'UPDATE device_authorization SET grant_id = ? WHERE digest = ? AND grant_id IS NULL',
    );
    this.#forget = database.prepare<[number]>('DELETE FROM device_authorization WHERE expires_at_ms <= ?');
    this.#count = database
      .prepare<[number], number>(
        'SELECT count(*) FROM device_authorization WHERE expires_at_ms > ? AND grant_id IS NULL',
      )
      .pluck();
    this.#undecided = database.prepare<[string, number], { count: number; firstEndMs: number | null }>(
      `SELECT count(*) AS count, min(expires_at_ms) AS firstEndMs FROM device_authorization
       WHERE holder = ? AND status = 'pending' AND expires_at_ms > ?`,
    );
    const waits = `status = 'pending' AND expires_at_ms > @atMs`;
    this.#evict = database
      .prepare<[{ atMs: number }], string>(
        `DELETE FROM device_authorization WHERE digest = (
           SELECT digest FROM device_authorization WHERE ${waits} AND holder = (
             SELECT holder FROM device_authorization WHERE ${waits} GROUP BY holder ORDER BY count(*) DESC LIMIT 1)
           ORDER BY created_at_ms, rowid LIMIT 1) RETURNING holder`,
      )
      .pluck();
  }

  insert(row: Omit<DeviceAuthorizationRow, 'decidedBy' | 'grantId'>): void {
    const { deviceName = null, accountId = null, polledAtMs = null } = row;
    this.#insert.run({ ...row, deviceName, accountId, polledAtMs });
  }

  byCode(digest: string): DeviceAuthorizationRow | undefined {
    const row = this.#byCode.get(digest);
    return row && withoutNulls<DeviceAuthorizationRow>(row);
  }

  byUserCode(digest: string): DeviceAuthorizationRow | undefined {
    const row = this.#byUserCode.get(digest);
    return row && withoutNulls<DeviceAuthorizationRow>(row);
  }

  polled(digest: string, atMs: number, intervalMs: number): void {
    this.#polled.run(atMs, intervalMs, digest);
  }

  /** Lets it in for `accountId`, or, without one, not. False when that was decided already. */
  decide(userCodeDigest: string, accountId: string | undefined, decidedBy?: string): boolean {
    const status = accountId === undefined ? 'denied' : 'approved';
    return this.#decide.run(status, accountId ?? null, decidedBy ?? null, userCodeDigest).changes === 1;
  }

  /** It was exchanged for this grant. False when it was exchanged before. */
  exchange(digest: string, grantId: string): boolean {
    return this.#exchange.run(grantId, digest).changes === 1;
  }

  /** Forgets those that had expired by `beforeMs`. */
  forgetExpired(beforeMs: number): void {
    this.#forget.run(beforeMs);
  }

  /** How many have neither expired at `atMs` nor been exchanged. */
  count(atMs: number): number {
    return this.#count.get(atMs) ?? 0;
  }

  /** Counts a holder's requests that are pending and have not expired at `atMs`, and tells when the first of them expires. */
  undecided(holder: string, atMs: number): { readonly count: number; readonly firstEndMs: number } {
    const { count = 0, firstEndMs = null } = this.#undecided.get(holder, atMs) ?? {};
    return { count, firstEndMs: firstEndMs ?? atMs };
  }

  /** Deletes the oldest pending request of the holder with the most of them. False if none is pending. */
  evict(atMs: number): boolean {
    return this.#evict.get({ atMs }) !== undefined;
  }

  /** Removes what this credential has decided on. */
  removeDecidedBy(credentialId: string): void {
    this.#removeDecidedBy.run(credentialId);
  }

  /** Removes what would open this account. */
  removeOf(accountId: string): void {
    this.#removeOf.run(accountId);
  }
}
