import type { Page, Span } from '../flow/page.ts';
import type { Database } from './database.ts';
import { NUMBER, type Placed, SPAN, type SpanParameters, spanParameters, toPage } from './page-rows.ts';
import type { RecordingEventRow, RecordingRow } from './recording-row.ts';
import type { SessionRow, StoredHistory } from './session-row.ts';
import { filterOf, SESSION_FILTERS, type SessionFilter } from './session-table.ts';

/** A session or a recording as its host tells it. */
export type HostReport =
  | { readonly kind: 'session'; readonly row: SessionRow }
  | { readonly kind: 'recording'; readonly row: RecordingRow; readonly events: readonly RecordingEventRow[] };

export type ToldRecording = Pick<Extract<HostReport, { kind: 'recording' }>, 'row' | 'events'>;

interface ListParameters extends SpanParameters, SessionFilter {
  readonly accountId: string;
  readonly place: string;
}

/** What hosts have told of their sessions and recordings, so that edges can answer for a host that is away. */
export class HostSessionTable {
  readonly #position;
  readonly #setPosition;
  readonly #keepSession;
  readonly #keepRecording;
  readonly #get;
  readonly #lists;
  readonly #places;
  readonly #recording;
  readonly #recordings;
  readonly #due;
  readonly #live;
  readonly #historyOf;
  readonly #historiesDue;
  readonly #forgetHistory;

  constructor(database: Database) {
    this.#position = database.prepare<[string], number>('SELECT position FROM host_report WHERE place = ?').pluck();
    this.#setPosition = database.prepare<[string, number]>(
      `INSERT INTO host_report (place, position) VALUES (?, ?)
       ON CONFLICT (place) DO UPDATE SET position = excluded.position`,
    );
    this.#keepSession = database.prepare<[Record<string, string | number | null>]>(
      `INSERT INTO host_session (id, place, account_id, platform, status, created_at_ms, ended_at_ms, content)
       VALUES (@id, @place, @accountId, @platform, @status, @createdAtMs, @endedAtMs, @content)
       ON CONFLICT (id) DO UPDATE SET
         status = excluded.status, ended_at_ms = excluded.ended_at_ms, content = excluded.content`,
    );
    this.#keepRecording = database.prepare<[Record<string, string | number>]>(
      `INSERT INTO host_recording (id, session_id, created_at_ms, retention_expires_at_ms, content)
       VALUES (@id, @sessionId, @createdAtMs, @retentionExpiresAtMs, @content)
       ON CONFLICT (id) DO UPDATE SET content = excluded.content`,
    );
    this.#get = database
      .prepare<[string, string], string>('SELECT content FROM host_session WHERE account_id = ? AND id = ?')
      .pluck();
    const list = (filter: keyof typeof SESSION_FILTERS) =>
      database.prepare<[ListParameters], Placed & { content: string }>(
        `SELECT content, created_at_ms AS createdAtMs, ${NUMBER('host_session')} FROM host_session
         WHERE account_id = @accountId AND place = @place ${SESSION_FILTERS[filter]} AND ended_at_ms IS NOT NULL
           AND ${SPAN('host_session')}`,
      );
    this.#lists = { all: list('all'), platform: list('platform'), status: list('status'), both: list('both') };
    this.#places = database.prepare<[], string>('SELECT place FROM host_report').pluck();
    this.#recording = database.prepare<[string], string>('SELECT content FROM host_recording WHERE id = ?').pluck();
    this.#recordings = database.prepare<
      [SpanParameters & { sessionId: string; nowMs: number }],
      Placed & { content: string }
    >(
      `SELECT content, created_at_ms AS createdAtMs, ${NUMBER('host_recording')} FROM host_recording
       WHERE session_id = @sessionId AND retention_expires_at_ms > @nowMs
         AND content ->> '$.row.status' <> 'deleted' AND ${SPAN('host_recording')}`,
    );
    this.#due = database
      .prepare<[number, number], string>(
        `SELECT content FROM host_recording WHERE retention_expires_at_ms <= ?
           AND content ->> '$.row.status' IN ('ready', 'deleting') AND content ->> '$.row.objectKey' IS NOT NULL
         ORDER BY retention_expires_at_ms LIMIT ?`,
      )
      .pluck();
    this.#live = database
      .prepare<[string], string>('SELECT content FROM host_session WHERE place = ? AND ended_at_ms IS NULL')
      .pluck();
    this.#historyOf = database
      .prepare<[string], string | null>(`SELECT content -> '$.history' FROM host_session WHERE id = ?`)
      .pluck();
    this.#historiesDue = database.prepare<[number, number], { id: string }>(
      `SELECT id FROM host_session WHERE ended_at_ms <= ? AND content ->> '$.history' IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM host_recording WHERE session_id = host_session.id)
       ORDER BY ended_at_ms LIMIT ?`,
    );
    this.#forgetHistory = database.prepare<[string]>(
      `UPDATE host_session SET content = json_remove(content, '$.history') WHERE id = ?`,
    );
  }

  /** How far a host has told; 0 for one that has told nothing. */
  position(place: string): number {
    return this.#position.get(place) ?? 0;
  }

  /** Keeps what a host has told, up to a position of its outbox. To be called within a transaction. */
  keep(place: string, reports: readonly HostReport[], position: number): void {
    for (const report of reports) {
      if (report.kind === 'session') this.#keep(place, report.row);
      else this.keepRecording(report);
    }
    this.#setPosition.run(place, position);
  }

  keepRecording({ row, events }: ToldRecording): void {
    const { id, sessionId, createdAtMs, retentionExpiresAtMs } = row;
    const content = JSON.stringify({ row, events } satisfies ToldRecording);
    this.#keepRecording.run({ id, sessionId, createdAtMs, retentionExpiresAtMs, content });
  }

  get(accountId: string, id: string): SessionRow | undefined {
    const content = this.#get.get(accountId, id);
    return content === undefined ? undefined : JSON.parse(content);
  }

  /** The places of all hosts that have told anything. */
  places(): string[] {
    return this.#places.all();
  }

  /** The account's sessions that have ended at some of the hosts, newest first. */
  list(accountId: string, filter: SessionFilter, span: Span, places: readonly string[]): Page<SessionRow> {
    const statement = this.#lists[filterOf(filter)];
    // A range of an index for each host: all of them together would have to be read whole and sorted.
    const found = places
      .flatMap((place) => statement.all({ accountId, place, ...filter, ...spanParameters(span) }))
      .sort((one, other) => other.createdAtMs - one.createdAtMs || other.number - one.number);
    return toPage(found, span, ({ content }) => JSON.parse(content));
  }

  recording(id: string): ToldRecording | undefined {
    const content = this.#recording.get(id);
    return content === undefined ? undefined : JSON.parse(content);
  }

  /** A session's recordings, newest first, without those that are deleted by `nowMs`, in wall time. */
  recordings(sessionId: string, span: Span, nowMs: number): Page<RecordingRow> {
    const found = this.#recordings.all({ sessionId, nowMs, ...spanParameters(span) });
    return toPage(found, span, ({ content }) => (JSON.parse(content) as ToldRecording).row);
  }

  /** Recordings in an object store whose retention ended by `atMs` and that nobody has told to be deleted; at most `countMax`. */
  due(atMs: number, countMax: number): ToldRecording[] {
    return this.#due.all(atMs, countMax).map((content) => JSON.parse(content));
  }

  /** What is in an object store of a session's history, of any account. */
  historyOf(id: string): StoredHistory | undefined {
    const history = this.#historyOf.get(id) ?? null;
    return history === null ? undefined : JSON.parse(history);
  }

  /** As `historiesDue` of the table of own sessions. */
  historiesDue(endedByMs: number, countMax: number): { readonly id: string }[] {
    return this.#historiesDue.all(endedByMs, countMax);
  }

  /** Forgets that a session's history is in an object store. */
  forgetHistory(id: string): void {
    this.#forgetHistory.run(id);
  }

  /** Ends what a host that is never heard of again has left running; returns how many sessions. */
  endAll(place: string, reason: string, atMs: number): number {
    const live = this.#live.all(place).map((content) => JSON.parse(content) as SessionRow);
    for (const row of live) {
      this.#keep(place, { ...row, status: 'failed', releaseReason: reason, releasedAtMs: atMs });
    }
    return live.length;
  }

  #keep(place: string, row: SessionRow): void {
    const { id, accountId, platform, status, createdAtMs, releasedAtMs = null } = row;
    const content = JSON.stringify(row);
    this.#keepSession.run({ id, place, accountId, platform, status, createdAtMs, endedAtMs: releasedAtMs, content });
  }
}
