import type { Usage } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { UsageDay, UsageTable } from '../store/usage-table.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const minutes = (ms: number) => Math.round((ms / MINUTE_MS) * 10) / 10;
const counts = ({ sessions, sessionMs, recordings }: Omit<UsageDay, 'date'>) => ({
  sessions,
  sessionMinutes: minutes(sessionMs),
  recordings,
});

/** The account's usage of the last days including today, in UTC. */
export function usageOf(
  store: Pick<UsageTable, 'days' | 'activeSessions'>,
  clock: Pick<Clock, 'wallMs'>,
  accountId: string,
  dayCount: number = LIMITS.usageDays.default,
): Usage {
  const nowMs = Math.floor(clock.wallMs());
  const todayMs = nowMs - (nowMs % DAY_MS);
  const fromMs = todayMs - (dayCount - 1) * DAY_MS;
  const used = new Map(store.days(accountId, fromMs, nowMs).map((day) => [day.date, day]));
  const days = Array.from({ length: dayCount }, (_, index) => {
    const date = isoTimestamp(fromMs + index * DAY_MS).slice(0, 10);
    return used.get(date) ?? { date, sessions: 0, sessionMs: 0, recordings: 0 };
  });
  const total = days.reduce((sum, day) => ({
    date: '',
    sessions: sum.sessions + day.sessions,
    sessionMs: sum.sessionMs + day.sessionMs,
    recordings: sum.recordings + day.recordings,
  }));
  return {
    activeSessions: store.activeSessions(accountId),
    total: counts(total),
    days: days.map((day) => ({ date: day.date, ...counts(day) })),
  };
}
