import t from 'tap';
import { account, openStore } from './open-store.ts';

const DAY_MS = 86_400_000;

t.test('sessions are counted by the day on which they began, with the time that they lasted so far', async (t) => {
  const { accounts, sessions, usage } = openStore(t);
  accounts.insert(account('acme'));
  accounts.insert(account('other'));
  const begin = (id: string, accountName: string, createdAtMs: number, releasedAtMs?: number) =>
    sessions.insert({
      id,
      accountId: `acc_${accountName}`,
      organizationId: `org_${accountName}`,
      platform: 'ios',
      status: releasedAtMs === undefined ? 'active' : 'released',
      deviceId: 'dev_1',
      leaseId: 'lse_1',
      device: { model: 'Virtual', osVersion: '1', width: 1, height: 1, scale: 1, driver: 'virtual' },
      orientation: 'portrait',
      createdAtMs,
      expiresAtMs: createdAtMs + 1,
      inactivityTimeoutMs: 1,
      hardTimeoutMs: 1,
      installAssets: [],
      embedOrigins: [],
      labels: {},
      ...(releasedAtMs === undefined ? {} : { releasedAtMs }),
    });
  begin('ses_old', 'acme', DAY_MS - 1, DAY_MS);
  begin('ses_1', 'acme', DAY_MS, DAY_MS + 60_000);
  begin('ses_2', 'acme', 2 * DAY_MS - 1, 2 * DAY_MS + 60_000);
  begin('ses_3', 'acme', 2 * DAY_MS + 1_000);
  begin('ses_4', 'other', 2 * DAY_MS);
  t.same(usage.days('acc_acme', DAY_MS, 2 * DAY_MS + 5_000), [
    { date: '1970-01-02', sessions: 2, sessionMs: 120_001, recordings: 0 },
    { date: '1970-01-03', sessions: 1, sessionMs: 4_000, recordings: 0 },
  ]);
  t.equal(usage.activeSessions('acc_acme'), 1);
  t.equal(usage.activeSessions('acc_none'), 0);
});
