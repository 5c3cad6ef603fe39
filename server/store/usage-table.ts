import type { Database } from './database.ts';

/** What began on one day (UTC). */
export interface UsageDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly sessions: number;
  readonly sessionMs: number;
  readonly recordings: number;
}

interface Span {
  readonly accountId: string;
  readonly fromMs: number;
  readonly nowMs: number;
}

type SessionDay = Omit<UsageDay, 'recordings'>;
type RecordingDay = Pick<UsageDay, 'date' | 'recordings'>;

/** What accounts used, counted from the sessions' and recordings' own rows. */
export class UsageTable {
  readonly #sessions;
  readonly #recordings;
  readonly #active;

  constructor(database: Database) {
    this.#sessions = database.prepare<[Span], SessionDay>(
      `SELECT date(created_at_ms / 1000, 'unixepoch') AS date, count(*) AS sessions,
         sum(max(0, coalesce(released_at_ms, @nowMs) - created_at_ms)) AS sessionMs
       FROM session WHERE account_id = @accountId AND created_at_ms >= @fromMs GROUP BY 1 ORDER BY 1`,
    );
    this.#recordings = database.prepare<[Span], RecordingDay>(
      `SELECT date(created_at_ms / 1000, 'unixepoch') AS date, count(*) AS recordings
       FROM recording WHERE account_id = @accountId AND created_at_ms >= @fromMs GROUP BY 1 ORDER BY 1`,
    );
    this.#active = database
      .prepare<[string], number>(
        `SELECT count(*) FROM session WHERE account_id = ? AND status IN ('starting', 'active', 'releasing')`,
      )
      .pluck();
  }

  /** Days since `fromMs` on which anything began, in no order. A session that still lives counts until `nowMs`. */
  days(accountId: string, fromMs: number, nowMs: number): UsageDay[] {
    const span = { accountId, fromMs, nowMs };
    const days = new Map<string, UsageDay>();
    for (const day of this.#sessions.all(span)) days.set(day.date, { ...day, recordings: 0 });
    for (const { date, recordings } of this.#recordings.all(span)) {
      days.set(date, { ...(days.get(date) ?? { date, sessions: 0, sessionMs: 0 }), recordings });
    }
    return [...days.values()];
  }

  activeSessions(accountId: string): number {
    return this.#active.get(accountId) ?? 0;
  }
}
