import type { SessionRow } from '../../server/store/session-row.ts';

/** An active session's row for tests that need one to refer to. */
export function sessionRow(more: Partial<SessionRow> = {}): SessionRow {
  return {
    id: 'ses_1',
    accountId: 'acc_acme',
    organizationId: 'org_acme',
    platform: 'ios',
    status: 'active',
    deviceId: 'dev_1',
    leaseId: 'lse_1',
    device: { model: 'Virtual Phone', osVersion: '17.5', width: 4, height: 6, scale: 1, driver: 'virtual' },
    orientation: 'portrait',
    createdAtMs: 1_000,
    expiresAtMs: 2_000,
    inactivityTimeoutMs: 600_000,
    hardTimeoutMs: 7_200_000,
    installAssets: [],
    embedOrigins: [],
    labels: {},
    ...more,
  };
}
