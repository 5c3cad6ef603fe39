import t from 'tap';
import type { SessionRow } from '../../server/store/session-row.ts';
import { ENDED_LINKS_KEPT, type ViewerLinkRow } from '../../server/store/viewer-link-table.ts';
import { WHOLE } from '../support/whole-list.ts';
import { account, openStore } from './open-store.ts';

const SESSION: SessionRow = {
  id: 'ses_1',
  accountId: 'acc_acme',
  organizationId: 'org_acme',
  platform: 'ios',
  status: 'active',
  deviceId: 'dev_1',
  leaseId: 'lse_1',
  device: { model: 'Virtual Phone', osVersion: '17.5', width: 590, height: 1280, scale: 2, driver: 'virtual' },
  orientation: 'portrait',
  createdAtMs: 1,
  expiresAtMs: 2,
  inactivityTimeoutMs: 1,
  hardTimeoutMs: 1,
  installAssets: [],
  embedOrigins: [],
  labels: {},
};

const link = (id: string, more: Partial<ViewerLinkRow> = {}): ViewerLinkRow => ({
  id: `lnk_${id}`,
  sessionId: 'ses_1',
  role: 'view',
  createdAtMs: 1_000,
  expiresAtMs: 2_000,
  ...more,
});

function openLinks(t: Parameters<typeof openStore>[0]) {
  const store = openStore(t);
  store.accounts.insert(account('acme'));
  for (const id of ['ses_1', 'ses_2']) store.sessions.insert({ ...SESSION, id });
  return store;
}

t.test('live links come back as they were written, newest first, and only of their session', async (t) => {
  const { viewerLinks } = openLinks(t);
  const rows = [
    link('old', { createdAtMs: 1 }),
    link('same-time'),
    link('new', { createdAtMs: 1_000, role: 'control', embedOrigin: 'https://friend.example' }),
  ];
  for (const row of [...rows, link('elsewhere', { sessionId: 'ses_2' })]) viewerLinks.insert(row);
  t.strictSame(viewerLinks.live('ses_1', 1_500, WHOLE).items, rows.reverse());
});

t.test('a link is live up to its end, and not at it', async (t) => {
  const { viewerLinks } = openLinks(t);
  viewerLinks.insert(link('1'));
  t.equal(viewerLinks.live('ses_1', 1_999, WHOLE).items.length, 1);
  t.equal(viewerLinks.live('ses_1', 2_000, WHOLE).items.length, 0);
});

t.test('a revocation is told once from its repetitions, and from what was never there', async (t) => {
  const { viewerLinks } = openLinks(t);
  viewerLinks.insert(link('1'));
  t.equal(viewerLinks.isUnrevoked('ses_1', 'lnk_1'), true);
  t.equal(viewerLinks.isUnrevoked('ses_2', 'lnk_1'), false, 'another session has no such link');
  t.equal(viewerLinks.revoke('ses_2', 'lnk_1', 5), 'unknown');
  t.equal(viewerLinks.revoke('ses_1', 'lnk_2', 5), 'unknown');
  t.equal(viewerLinks.revoke('ses_1', 'lnk_1', 5), 'revoked');
  t.equal(viewerLinks.revoke('ses_1', 'lnk_1', 6), 'was revoked');
  t.equal(viewerLinks.isUnrevoked('ses_1', 'lnk_1'), false);
  t.equal(viewerLinks.isUnrevoked('ses_1', 'lnk_2'), false, 'what is unknown opens nothing');
  t.strictSame(viewerLinks.live('ses_1', 1_500, WHOLE).items, []);
});

t.test('ended links are forgotten past a bound, live ones never', async (t) => {
  const store = openLinks(t);
  const { viewerLinks } = store;
  store.atomically(() => {
    viewerLinks.insert(link('live', { createdAtMs: 1, expiresAtMs: 9_000 }));
    for (let n = 0; n <= ENDED_LINKS_KEPT; n += 1) {
      viewerLinks.insert(link(`${n}`, { createdAtMs: 10 + n, expiresAtMs: 8_000 }));
      viewerLinks.revoke('ses_1', `lnk_${n}`, 20);
    }
    viewerLinks.insert(link('last', { createdAtMs: 5_000, expiresAtMs: 9_000 }));
  });
  t.equal(viewerLinks.revoke('ses_1', 'lnk_0', 30), 'unknown', 'the oldest is forgotten');
  t.equal(viewerLinks.revoke('ses_1', 'lnk_1', 30), 'was revoked');
  t.equal(viewerLinks.isUnrevoked('ses_1', 'lnk_live'), true);
  t.equal(viewerLinks.isUnrevoked('ses_1', 'lnk_0'), false);
});

t.test('values outside their sets are refused by the table itself', async (t) => {
  const { viewerLinks } = openLinks(t);
  t.throws(() => viewerLinks.insert(link('1', { role: 'admin' as 'view' })), { code: 'SQLITE_CONSTRAINT_CHECK' });
  t.throws(() => viewerLinks.insert(link('1', { sessionId: 'ses_9' })), { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
  viewerLinks.insert(link('1'));
  t.throws(() => viewerLinks.insert(link('1')), { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
});
