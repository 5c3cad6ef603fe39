import type { Platform, SessionStatus } from '@runcloud/protocol';
import type { Page, Span } from '../flow/page.ts';
import type { Database } from './database.ts';
import type { EndedPlace } from './ended-rows.ts';
import { NUMBER, type Placed, SPAN, type SpanParameters, spanParameters, toPage } from './page-rows.ts';
import { withoutNulls } from './row.ts';
import { type SessionRecord, type SessionRow, type StoredHistory, toRecord } from './session-row.ts';

export interface SessionFilter {
  readonly platform?: Platform;
  readonly status?: SessionStatus;
}

/** Field of the row, and its column. */
const FIELDS: Readonly<Record<keyof SessionRow, string>> = {
  id: 'id',
  accountId: 'account_id',
  organizationId: 'organization_id',
  platform: 'platform',
  status: 'status',
  deviceId: 'device_id',
  leaseId: 'lease_id',
  device: 'device',
  orientation: 'orientation',
  createdAtMs: 'created_at_ms',
  expiresAtMs: 'expires_at_ms',
  inactivityTimeoutMs: 'inactivity_timeout_ms',
  hardTimeoutMs: 'hard_timeout_ms',
  installAssets: 'install_assets',
  embedOrigins: 'embed_origins',
  labels: 'labels',
  idempotencyKey: 'idempotency_key',
  requestDigest: 'request_digest',
  releasedAtMs: 'released_at_ms',
  releaseReason: 'release_reason',
  history: 'history',
};

/** Columns that change during the life of a session; the others are written once. */
const PATCHED = [
  'status',
  'orientation',
  'deviceId',
  'leaseId',
  'device',
  'expiresAtMs',
  'installAssets',
  'releasedAtMs',
  'releaseReason',
] as const satisfies readonly (keyof SessionRow)[];
export type SessionPatch = Partial<Pick<SessionRow, (typeof PATCHED)[number]>>;

type PatchParameters = Record<(typeof PATCHED)[number], string | number | null> & { id: string };

interface ListParameters extends SpanParameters, SessionFilter {
  readonly accountId: string;
}

/** Each filter has a statement of its own, with an index that a page is a range of. */
export const SESSION_FILTERS = {
  all: '',
  platform: 'AND platform = @platform',
  status: 'AND status = @status',
  both: 'AND platform = @platform AND status = @status',
} as const;

export const filterOf = ({ platform, status }: SessionFilter): keyof typeof SESSION_FILTERS => {
  if (platform === undefined) return status === undefined ? 'all' : 'status';
  return status === undefined ? 'platform' : 'both';
};

function fromRecord(record: SessionRecord): SessionRow {
  return withoutNulls<SessionRow>({
    ...record,
    device: JSON.parse(record.device),
    installAssets: JSON.parse(record.installAssets),
    embedOrigins: JSON.parse(record.embedOrigins),
    labels: JSON.parse(record.labels),
    history: record.history === null ? null : JSON.parse(record.history),
  });
}

/** Sessions, live and ended. Every look-up carries the account: a foreign session is as unknown as none. */
export class SessionTable {
  readonly #insert;
  readonly #update;
  readonly #get;
  readonly #byId;
  readonly #lists;
  readonly #byIdempotencyKey;
  readonly #forgetKey;
  readonly #active;
  readonly #endUnfinished;
  readonly #historyToStore;
  readonly #setHistory;
  readonly #historiesDue;

  constructor(database: Database) {
    const fields = Object.entries(FIELDS);
    const selected = fields.map(([field, column]) => `${column} AS ${field}`).join(', ');
    this.#insert = database.prepare<[SessionRecord]>(
      `INSERT INTO session (${fields.map(([, column]) => column).join(', ')})
       VALUES (${fields.map(([field]) => `@${field}`).join(', ')})`,
    );
    // No patched field ever goes back to empty, so an absent one keeps what is there.
    this.#update = database.prepare<[PatchParameters]>(
      `UPDATE session SET ${PATCHED.map((field) => `${FIELDS[field]} = coalesce(@${field}, ${FIELDS[field]})`).join(', ')}
       WHERE id = @id`,
    );
    this.#get = database.prepare<[string, string], SessionRecord>(
      `SELECT ${selected} FROM session WHERE account_id = ? AND id = ?`,
    );
    this.#byId = database.prepare<[string], SessionRecord>(`SELECT ${selected} FROM session WHERE id = ?`);
    const list = (filter: keyof typeof SESSION_FILTERS) =>
      database.prepare<[ListParameters], SessionRecord & Placed>(
        `SELECT ${selected}, ${NUMBER('session')} FROM session
         WHERE account_id = @accountId ${SESSION_FILTERS[filter]} AND ${SPAN('session')}`,
      );
    this.#lists = { all: list('all'), platform: list('platform'), status: list('status'), both: list('both') };
    this.#byIdempotencyKey = database.prepare<[string, string], SessionRecord>(
      `SELECT ${selected} FROM session WHERE account_id = ? AND idempotency_key = ?`,
    );
    this.#forgetKey = database.prepare<[string]>(
      'UPDATE session SET idempotency_key = NULL, request_digest = NULL WHERE id = ?',
    );
    this.#active = database.prepare<[], SessionRecord>(`SELECT ${selected} FROM session WHERE status = 'active'`);
    this.#endUnfinished = database.prepare<[{ reason: string; atMs: number; live: string }]>(
      `UPDATE session SET status = 'failed', release_reason = @reason, released_at_ms = @atMs,
         idempotency_key = iif(status = 'starting', NULL, idempotency_key),
         request_digest = iif(status = 'starting', NULL, request_digest)
       WHERE status IN ('starting', 'active', 'releasing') AND id NOT IN (SELECT value FROM json_each(@live))`,
    );
    this.#historyToStore = database.prepare<[EndedPlace], EndedPlace & { id: string }>(
      `SELECT id, released_at_ms AS endedAtMs, rowid AS number FROM session
       WHERE status IN ('released', 'expired', 'failed') AND history IS NULL
         AND (released_at_ms, rowid) > (@endedAtMs, @number)
       ORDER BY released_at_ms, rowid LIMIT 1`,
    );
    this.#setHistory = database.prepare<[string, string]>('UPDATE session SET history = ? WHERE id = ?');
    this.#historiesDue = database.prepare<[number, number], { id: string }>(
      `SELECT id FROM session
       WHERE status IN ('released', 'expired', 'failed') AND released_at_ms <= ? AND history <> 'null'
         AND NOT EXISTS (SELECT 1 FROM recording WHERE session_id = session.id)
       ORDER BY released_at_ms LIMIT ?`,
    );
  }

  /** Throws SQLite's `SQLITE_CONSTRAINT_…` for an id or an idempotency key that is taken, or an unknown account. */
  insert(row: SessionRow): void {
    this.#insert.run(toRecord(row));
  }

  /** Writes the fields that `patch` names, and only them; false when there is no such session. */
  update(id: string, patch: SessionPatch): boolean {
    const parameters: PatchParameters = {
      id,
      status: patch.status ?? null,
      orientation: patch.orientation ?? null,
      deviceId: patch.deviceId ?? null,
      leaseId: patch.leaseId ?? null,
      device: patch.device ? JSON.stringify(patch.device) : null,
      expiresAtMs: patch.expiresAtMs ?? null,
      installAssets: patch.installAssets ? JSON.stringify(patch.installAssets) : null,
      releasedAtMs: patch.releasedAtMs ?? null,
      releaseReason: patch.releaseReason ?? null,
    };
    return this.#update.run(parameters).changes === 1;
  }

  get(accountId: string, id: string): SessionRow | undefined {
    const record = this.#get.get(accountId, id);
    return record && fromRecord(record);
  }

  /** Of any account: for what is not answered to a caller. */
  byId(id: string): SessionRow | undefined {
    const record = this.#byId.get(id);
    return record && fromRecord(record);
  }

  /** The account's sessions, newest first. */
  list(accountId: string, filter: SessionFilter, span: Span): Page<SessionRow> {
    const rows = this.#lists[filterOf(filter)].all({ accountId, ...filter, ...spanParameters(span) });
    return toPage(rows, span, fromRecord);
  }

  byIdempotencyKey(accountId: string, key: string): SessionRow | undefined {
    const record = this.#byIdempotencyKey.get(accountId, key);
    return record && fromRecord(record);
  }

  /** Lets the key of a session that never began make another one. */
  forgetIdempotencyKey(id: string): void {
    this.#forgetKey.run(id);
  }

  /** The sessions that are `active`, of all accounts. */
  active(): readonly SessionRow[] {
    return this.#active.all().map(fromRecord);
  }

  /**
   * Ends as `failed` what a process that is gone left `starting`, `active` or `releasing`; returns how many. Nobody got a
   * session that was still `starting`: its idempotency key can make another one. To be called once, before the first new session
   * of this process.
   * @param live the ids of those that go on
   */
  endUnfinished(reason: string, atMs: number, live: readonly string[] = []): number {
    return this.#endUnfinished.run({ reason, atMs, live: JSON.stringify(live) }).changes;
  }

  /** The first session behind `after`, in the order of their ends, whose history has been in no object store. */
  historyToStore(after: EndedPlace): (EndedPlace & { readonly id: string }) | undefined {
    return this.#historyToStore.get(after);
  }

  /** Keeps that a history is in the object store or, with `null`, there no more; false when there is no such session. */
  setHistory(id: string, history: StoredHistory | null): boolean {
    return this.#setHistory.run(JSON.stringify(history), id).changes === 1;
  }

  /** Sessions without recordings that ended by `endedByMs` and have a history in an object store; at most `countMax`. */
  historiesDue(endedByMs: number, countMax: number): { readonly id: string }[] {
    return this.#historiesDue.all(endedByMs, countMax);
  }
}
