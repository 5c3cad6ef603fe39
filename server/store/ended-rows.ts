import { LIMITS } from '@runcloud/protocol/terms';
import type { Database } from './database.ts';

/** Where a look for ended rows has got to. */
export interface EndedPlace {
  readonly endedAtMs: number;
  readonly number: number;
}

export const FIRST_PLACE: EndedPlace = { endedAtMs: Number.MIN_SAFE_INTEGER, number: 0 };

/** Rows of one kind that end, found in the order of their ends. */
export interface EndedKind {
  readonly name: string;
  /** How long they are kept after their end. */
  readonly keptMs: number;
  /**
   * Takes one small step: looks at the first row behind `after` that had ended by `endedByMs`, and forgets it, or some of what
   * hangs on it, unless it has to stay. Gives the place to go on from; `undefined` when there is none.
   */
  step(after: EndedPlace, endedByMs: number): EndedPlace | undefined;
}

/** Rows that hang on one that goes are forgotten so many at a time. */
const HANGING = 16;
/** Usage covers 90 days; the rest is for clocks that differ. */
const USAGE_KEPT_MS = 100 * 86_400_000;
/** A program whose code has expired is still told so. */
const DEVICE_AUTHORIZATION_KEPT_MS = 3_600_000;

interface Found extends EndedPlace {
  readonly id: string;
}

interface Rule {
  readonly table: string;
  /** Column of the end; an index over it, and over `where`, finds the rows. */
  readonly end: string;
  readonly id?: string;
  readonly where?: string;
  /** Further rows stay, however old they are. */
  readonly stays?: string;
  /** Rows that go first: their table, the column that names what they hang on, and one that tells them apart. */
  readonly hanging?: readonly [table: string, column: string, key: string];
  readonly keptMs: number;
}

// By a credential that ended, those that were made with it are found: they go first.
const HAS_MINTED = `EXISTS (SELECT 1 FROM api_key WHERE minted_by = @id)
  OR EXISTS (SELECT 1 FROM token_grant WHERE minted_by = @id)`;
// The newest number of a change must not be given twice: whoever has read it would miss the second.
const KEY_STAYS = `EXISTS (SELECT 1 FROM api_key WHERE id = @id AND revision = (SELECT max(revision) FROM api_key))
  OR ${HAS_MINTED}`;

// A session stays until its history in an object store is deleted.
const RULES: readonly Rule[] = [
  {
    table: 'recording',
    end: 'deleted_at_ms',
    where: `status = 'deleted'`,
    hanging: ['recording_event', 'recording_id', 'position'],
    keptMs: LIMITS.recordingRecordKeptMs,
  },
  {
    table: 'session',
    end: 'released_at_ms',
    where: `status IN ('released', 'expired', 'failed')`,
    stays: `EXISTS (SELECT 1 FROM recording WHERE session_id = @id)
      OR EXISTS (SELECT 1 FROM session WHERE id = @id AND history <> 'null')`,
    hanging: ['viewer_link', 'session_id', 'rowid'],
    keptMs: LIMITS.endedKeptMs,
  },
  { table: 'host_recording', end: 'retention_expires_at_ms', keptMs: LIMITS.recordingRecordKeptMs },
  {
    table: 'host_session',
    end: 'ended_at_ms',
    where: 'ended_at_ms IS NOT NULL',
    stays: `EXISTS (SELECT 1 FROM host_recording WHERE session_id = @id)
      OR EXISTS (SELECT 1 FROM host_session WHERE id = @id AND content ->> '$.history' IS NOT NULL)`,
    keptMs: LIMITS.endedKeptMs,
  },
  {
    table: 'api_key',
    end: 'revoked_at_ms',
    where: 'revoked_at_ms IS NOT NULL AND given = 0',
    stays: KEY_STAYS,
    keptMs: LIMITS.endedKeptMs,
  },
  {
    table: 'api_key',
    end: 'expires_at_ms',
    where: 'revoked_at_ms IS NULL AND given = 0',
    stays: KEY_STAYS,
    keptMs: LIMITS.endedKeptMs,
  },
  {
    table: 'token_grant',
    end: 'revoked_at_ms',
    where: 'revoked_at_ms IS NOT NULL',
    stays: HAS_MINTED,
    hanging: ['token', 'grant_id', 'rowid'],
    keptMs: LIMITS.endedKeptMs,
  },
  {
    table: 'token_grant',
    end: 'expires_at_ms',
    where: 'revoked_at_ms IS NULL',
    stays: HAS_MINTED,
    hanging: ['token', 'grant_id', 'rowid'],
    keptMs: LIMITS.endedKeptMs,
  },
  // Nobody can ask for these any more.
  { table: 'token', end: 'expires_at_ms', id: 'digest', keptMs: 0 },
  { table: 'one_time_link', end: 'expires_at_ms', id: 'digest', keptMs: 0 },
  { table: 'dashboard_sign_in', end: 'expires_at_ms', keptMs: 0 },
  { table: 'device_authorization', end: 'expires_at_ms', id: 'digest', keptMs: DEVICE_AUTHORIZATION_KEPT_MS },
  { table: 'usage_day', end: 'ends_at_ms', id: 'rowid', keptMs: USAGE_KEPT_MS },
];

/** The kinds of ended rows to delete, table by table; a table comes after those that refer to it. */
export const endedKinds = (database: Database): readonly EndedKind[] => RULES.map((rule) => endedKind(database, rule));

function endedKind(database: Database, rule: Rule): EndedKind {
  const { table, end, id = 'id', where = '1', stays, hanging, keptMs } = rule;
  const find = database.prepare<[EndedPlace & { endedByMs: number }], Found>(
    `SELECT ${id} AS id, ${end} AS endedAtMs, rowid AS number FROM ${table}
     WHERE ${where} AND (${end}, rowid) > (@endedAtMs, @number) AND ${end} <= @endedByMs
     ORDER BY ${end}, rowid LIMIT 1`,
  );
  const hasToStay =
    stays === undefined ? undefined : database.prepare<[{ id: string }], number>(`SELECT ${stays}`).pluck();
  const [hangingTable, column, key] = hanging ?? [];
  const forgetHanging =
    hanging &&
    database.prepare<[{ id: string }]>(
      `DELETE FROM ${hangingTable} WHERE ${column} = @id
         AND ${key} IN (SELECT ${key} FROM ${hangingTable} WHERE ${column} = @id LIMIT ${HANGING})`,
    );
  const forget = database.prepare<[string]>(`DELETE FROM ${table} WHERE ${id} = ?`);
  return {
    name: `${table} ${end}`,
    keptMs,
    step(after, endedByMs) {
      const found = find.get({ ...after, endedByMs });
      if (!found) return undefined;
      const place = { endedAtMs: found.endedAtMs, number: found.number };
      if (hasToStay?.get({ id: found.id })) return place;
      if (forgetHanging?.run({ id: found.id }).changes === HANGING) return after;
      forget.run(found.id);
      return place;
    },
  };
}
