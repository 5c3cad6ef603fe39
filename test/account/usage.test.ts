import t from 'tap';
import { usageOf } from '../../server/account/usage.ts';

const NOW = Date.UTC(2026, 2, 1, 15);
const clock = { wallMs: () => NOW };

t.test('every day is there, today last, across the end of a month, and the sums are those of the days', async (t) => {
  const store = {
    activeSessions: () => 2,
    days: (accountId: string, fromMs: number, nowMs: number) => {
      t.strictSame([accountId, fromMs, nowMs], ['acc_1', Date.UTC(2026, 1, 26), NOW]);
      return [
        { date: '2026-03-01', sessions: 2, sessionMs: 90_000, recordings: 1 },
        { date: '2026-02-27', sessions: 1, sessionMs: 3_600_000, recordings: 0 },
      ];
    },
  };
  t.strictSame(usageOf(store, clock, 'acc_1', 4), {
    activeSessions: 2,
    total: { sessions: 3, sessionMinutes: 61.5, recordings: 1 },
    days: [
      { date: '2026-02-26', sessions: 0, sessionMinutes: 0, recordings: 0 },
      { date: '2026-02-27', sessions: 1, sessionMinutes: 60, recordings: 0 },
      { date: '2026-02-28', sessions: 0, sessionMinutes: 0, recordings: 0 },
      { date: '2026-03-01', sessions: 2, sessionMinutes: 1.5, recordings: 1 },
    ],
  });
});
