import t from 'tap';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { digest } from '../store/open-store.ts';
import { sessionRow } from '../store/session-rows.ts';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { withLinks } from '../support/dashboard-client.ts';
import { DashboardPage } from '../support/dashboard-page.ts';
import { startServer } from '../support/server.ts';

t.test('long lists are shown in parts, and to their end', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const accountId = (await server.rest.call<{ id: string }>('GET', '/service/account')).body.id;
  const owned = { accountId, organizationId: 'org' };
  const nowMs = Date.now();
  const store = new Store(databasePath(server.dataDir));
  store.atomically(() => {
    for (let n = 1; n <= 120; n++) {
      const at = { createdAtMs: nowMs - 100_000 + n, releasedAtMs: nowMs };
      store.sessions.insert(sessionRow({ ...owned, id: `ses_${n}`, status: 'released', ...at }));
    }
    const content = { checksum: digest('a'), byteSize: 9, platform: 'ios', identifier: 'a.b', name: 'App' } as const;
    for (let n = 1; n <= 60; n++) {
      const app = { ...content, version: '1', urlSchemes: [], description: '{}' };
      store.assets.insert(app, { id: `ast_${n}`, accountId, createdAtMs: nowMs - n });
    }
  });
  const recording = {
    id: 'rec_1',
    sessionId: 'ses_5',
    ...owned,
    platform: 'ios',
    status: 'starting',
    createdAtMs: nowMs,
    retentionExpiresAtMs: nowMs * 2,
    tries: 0,
    recoveries: 0,
  } as const;
  store.recordings.insert(recording, { id: 'evt_1', type: 'created', atMs: nowMs, status: 'starting' });
  const failure = { stage: 'prepare', code: 'storage_error', message: 'No.', retryable: false } as const;
  store.recordings.update(recording, { status: 'failed', failure }, []);
  store.close();

  const link = withLinks(server.dataDir, (links) => links.signIn('local').path);
  const dashboard = await DashboardPage.open(await startBrowser(t), server.url + link);
  const { page } = dashboard;
  await dashboard.heading('Sessions');
  const more = page.getByRole('button', { name: 'Show more' });
  const rows = page.locator('.rows > .row');
  const shown = async (count: number) => {
    await rows.nth(count - 1).waitFor();
    t.equal(await rows.count(), count);
  };
  await shown(8);
  await more.click();
  await shown(16);

  await page.getByRole('link', { name: 'Apps' }).click();
  await dashboard.heading('Apps');
  await shown(50);
  await more.click();
  await shown(60);
  t.equal(await more.count(), 0);

  await page.getByRole('link', { name: 'Recordings' }).click();
  await page.getByRole('heading', { name: 'No recordings in the latest sessions' }).waitFor();
  await more.click();
  await page.getByRole('heading', { name: 'No recordings in the latest sessions' }).waitFor();
  await more.click();
  await page.locator('[data-recording=rec_1]').waitFor();
  t.equal(await more.count(), 0);

  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('button', { name: 'New session' }).first().click();
  const ticks = page.locator('.ticks label');
  await ticks.nth(59).waitFor();
  t.equal(await ticks.count(), 60, 'every app can be installed');
  t.same(dashboard.faults, []);
});
