import type { Database } from './database.ts';

/** Usage that began on one day (UTC). */
export interface UsageDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly sessions: number;
  readonly sessionMs: number;
  readonly recordings: number;
}

interface DayRow extends Omit<UsageDay, 'date'> {
  readonly endsAtMs: number;
}

interface Living {
  readonly createdAtMs: number;
}

const DAY_MS = 86_400_000;
const LIVING = `('starting', 'active', 'releasing')`;

/**
 * The usage of accounts. Triggers of the database keep a row for each day whenever a session begins or ends or a recording
 * begins, so that a day's usage stays when its sessions and recordings are deleted.
 */
export class UsageTable {
  readonly #days;
  readonly #living;
  readonly #active;

  constructor(database: Database) {
    this.#days = database.prepare<[string, number], DayRow>(
      `SELECT ends_at_ms AS endsAtMs, sessions, session_ms AS sessionMs, recordings FROM usage_day
       WHERE account_id = ? AND ends_at_ms > ? ORDER BY ends_at_ms`,
    );
    this.#living = database.prepare<[string, number], Living>(
      `SELECT created_at_ms AS createdAtMs FROM session
       WHERE account_id = ? AND status IN ${LIVING} AND created_at_ms >= ? AND released_at_ms IS NULL`,
    );
    this.#active = database
      .prepare<[string], number>(`SELECT count(*) FROM session WHERE account_id = ? AND status IN ${LIVING}`)
      .pluck();
  }

  /** Days from that of `fromMs` on (UTC) on which anything began. A session that still lives counts until `nowMs`. */
  days(accountId: string, fromMs: number, nowMs: number): UsageDay[] {
    const days = this.#days.all(accountId, fromMs);
    const lastedMs = new Map<number, number>();
    const firstMs = fromMs - (fromMs % DAY_MS);
    for (const { createdAtMs } of this.#living.all(accountId, firstMs)) {
      const endsAtMs = createdAtMs - (createdAtMs % DAY_MS) + DAY_MS;
      lastedMs.set(endsAtMs, (lastedMs.get(endsAtMs) ?? 0) + Math.max(0, nowMs - createdAtMs));
    }
    return days.map(({ endsAtMs, sessions, sessionMs, recordings }) => ({
      date: new Date(endsAtMs - DAY_MS).toISOString().slice(0, 10),
      sessions,
      sessionMs: sessionMs + (lastedMs.get(endsAtMs) ?? 0),
      recordings,
    }));
  }

  activeSessions(accountId: string): number {
    return this.#active.get(accountId) ?? 0;
  }
}
