import type { Page, Span } from '../flow/page.ts';
import type { Database } from './database.ts';
import { NUMBER, type Placed, SPAN, type SpanParameters, spanParameters, toPage } from './page-rows.ts';
import type { RecordingEventTable } from './recording-event-table.ts';
import type { RecordingEventRow, RecordingRow } from './recording-row.ts';
import { type SqlRow, withoutNulls } from './row.ts';

/** Field of the row, and its column. */
const FIELDS: Readonly<Record<keyof RecordingRow, string>> = {
  id: 'id',
  sessionId: 'session_id',
  accountId: 'account_id',
  organizationId: 'organization_id',
  platform: 'platform',
  status: 'status',
  idempotencyKey: 'idempotency_key',
  createdAtMs: 'created_at_ms',
  retentionExpiresAtMs: 'retention_expires_at_ms',
  startedAtMs: 'started_at_ms',
  stoppedAtMs: 'stopped_at_ms',
  readyAtMs: 'ready_at_ms',
  deletedAtMs: 'deleted_at_ms',
  byteSize: 'byte_size',
  sha256: 'sha256',
  durationMs: 'duration_ms',
  objectKey: 'object_key',
  failure: 'failure',
  nextAttemptAtMs: 'next_attempt_at_ms',
  tries: 'tries',
  recoveries: 'recoveries',
};

/** Columns that change during the life of a recording; the others are written once. */
const PATCHED = [
  'status',
  'idempotencyKey',
  'startedAtMs',
  'stoppedAtMs',
  'readyAtMs',
  'deletedAtMs',
  'byteSize',
  'sha256',
  'durationMs',
  'objectKey',
  'failure',
  'nextAttemptAtMs',
  'tries',
  'recoveries',
] as const satisfies readonly (keyof RecordingRow)[];
type Patched = Pick<RecordingRow, (typeof PATCHED)[number]>;
/** Fields that are named are written; `undefined` empties one. */
export type RecordingPatch = { readonly [Field in keyof Patched]?: Patched[Field] | undefined };

/** A row as SQLite gives it: what is structured is JSON text. */
type Kept = Omit<SqlRow<RecordingRow>, 'failure'> & { readonly failure: string | null };
type KeptValue = string | number | null;

const ACTIVE = `('starting', 'recording', 'finalizing')`;

/** The recording is not in the status that the caller took it to be in: somebody else was faster. */
export class RecordingMoved extends Error {
  override readonly name = 'RecordingMoved';
}

/**
 * Recordings. The database itself refuses moves that are not in the table of states, a second active recording of a
 * session, and a second recording of one idempotency key, with SQLite's `SQLITE_CONSTRAINT_…`.
 */
export class RecordingTable {
  readonly #insert;
  readonly #update;
  readonly #get;
  readonly #find;
  readonly #byKey;
  readonly #active;
  readonly #list;
  readonly #unsettled;
  readonly #due;
  readonly #seenAt;
  readonly #setSeenAt;

  constructor(database: Database, events: RecordingEventTable) {
    const fields = Object.entries(FIELDS);
    const selected = fields.map(([field, column]) => `${column} AS ${field}`).join(', ');
    const select = `SELECT ${selected} FROM recording`;
    const insert = database.prepare<[Record<string, KeptValue>]>(
      `INSERT INTO recording (${fields.map(([, column]) => column).join(', ')})
       VALUES (${fields.map(([field]) => `@${field}`).join(', ')})`,
    );
    this.#insert = database.transaction((row: RecordingRow, event: RecordingEventRow) => {
      insert.run(toKept(row));
      events.append(row.id, event);
    });
    const update = database.prepare<[Record<string, KeptValue>]>(
      `UPDATE recording SET ${PATCHED.map((field) => `${FIELDS[field]} = @${field}`).join(', ')}
       WHERE id = @id AND status = @from`,
    );
    this.#update = database.transaction(
      (row: RecordingRow, patch: RecordingPatch, added: readonly RecordingEventRow[]): RecordingRow => {
        const kept = toKept({ ...row, ...patch } as RecordingRow);
        if (update.run({ ...pick(kept), id: row.id, from: row.status }).changes !== 1) {
          throw new RecordingMoved(`the recording ${row.id} is not ${row.status} any more`);
        }
        for (const event of added) events.append(row.id, event);
        return fromKept(kept as unknown as Kept);
      },
    );
    this.#get = database.prepare<[string], Kept>(`${select} WHERE id = ?`);
    this.#find = database.prepare<[string, string], Kept>(`${select} WHERE session_id = ? AND id = ?`);
    this.#byKey = database.prepare<[string, string], Kept>(`${select} WHERE session_id = ? AND idempotency_key = ?`);
    this.#active = database.prepare<[string], Kept>(
      `${select} WHERE session_id = ? AND status IN ${ACTIVE} ORDER BY created_at_ms DESC, rowid DESC LIMIT 1`,
    );
    this.#list = database.prepare<[SpanParameters & { sessionId: string }], Kept & Placed>(
      `SELECT ${selected}, ${NUMBER('recording')} FROM recording
       WHERE session_id = @sessionId AND status <> 'deleted' AND ${SPAN('recording')}`,
    );
    this.#unsettled = database.prepare<[], Kept>(
      `${select} WHERE status IN ('starting', 'recording', 'finalizing', 'deleting') OR next_attempt_at_ms IS NOT NULL
       ORDER BY created_at_ms, rowid`,
    );
    this.#due = database.prepare<[number, number], Kept>(
      `${select} WHERE status IN ('ready', 'failed') AND retention_expires_at_ms <= ?
       ORDER BY retention_expires_at_ms LIMIT ?`,
    );
    this.#seenAt = database.prepare<[], number>('SELECT seen_at_ms FROM retention_clock').pluck();
    this.#setSeenAt = database.prepare<[number]>(
      `INSERT INTO retention_clock (id, seen_at_ms) VALUES (1, ?)
       ON CONFLICT (id) DO UPDATE SET seen_at_ms = excluded.seen_at_ms`,
    );
  }

  insert(row: RecordingRow, event: RecordingEventRow): void {
    this.#insert.immediate(row, event);
  }

  /**
   * Writes the fields that `patch` names, with the events that tell of it, in one transaction, and gives the row as it is
   * then. Throws `RecordingMoved` and writes nothing when the status is not `row.status` any more.
   */
  update(row: RecordingRow, patch: RecordingPatch, events: readonly RecordingEventRow[]): RecordingRow {
    return this.#update.immediate(row, patch, events);
  }

  get(id: string): RecordingRow | undefined {
    return optional(this.#get.get(id));
  }

  /** A session's recording. The caller has found the session to be the account's. */
  find(sessionId: string, id: string): RecordingRow | undefined {
    return optional(this.#find.get(sessionId, id));
  }

  byIdempotencyKey(sessionId: string, key: string): RecordingRow | undefined {
    return optional(this.#byKey.get(sessionId, key));
  }

  /** The session's recording that keeps another one from starting. */
  active(sessionId: string): RecordingRow | undefined {
    return optional(this.#active.get(sessionId));
  }

  /** Newest first, without deleted ones. */
  list(sessionId: string, span: Span): Page<RecordingRow> {
    return toPage(this.#list.all({ sessionId, ...spanParameters(span) }), span, fromKept);
  }

  /** All that are not at rest: unfinished ones, those to be tried again, and half-deleted ones; oldest first. */
  unsettled(): RecordingRow[] {
    return this.#unsettled.all().map(fromKept);
  }

  /** Recordings in a final state whose retention ended by `atMs`; at most `max`. */
  due(atMs: number, max: number): RecordingRow[] {
    return this.#due.all(atMs, max).map(fromKept);
  }

  /** The newest wall time that retention has trusted. */
  clockSeenAtMs(): number | undefined {
    return this.#seenAt.get();
  }

  setClockSeenAtMs(atMs: number): void {
    this.#setSeenAt.run(atMs);
  }
}

function toKept(row: RecordingRow): Record<string, KeptValue> {
  const kept: Record<string, KeptValue> = {};
  for (const field of Object.keys(FIELDS) as (keyof RecordingRow)[]) {
    const value = row[field];
    kept[field] = typeof value === 'object' ? JSON.stringify(value) : (value ?? null);
  }
  return kept;
}

function pick(kept: Readonly<Record<string, KeptValue>>): Record<string, KeptValue> {
  return Object.fromEntries(PATCHED.map((field) => [field, kept[field] ?? null]));
}

function fromKept(kept: Kept): RecordingRow {
  const { failure, ...rest } = kept;
  return withoutNulls<RecordingRow>({ ...rest, failure: failure === null ? null : JSON.parse(failure) });
}

const optional = (kept: Kept | undefined): RecordingRow | undefined => kept && fromKept(kept);
