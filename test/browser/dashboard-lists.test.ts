import type { KeyList, TokenList, ViewerLinkList } from '@runcloud/protocol';
import type { Locator } from 'playwright-core';
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
  await dashboard.fromHome();
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

t.test(
  'keys, programs and links beyond a page are shown in parts, and can be revoked',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const { rest } = server;
    const live = await rest.createSession('ios');
    const accountId = (await rest.call<{ id: string }>('GET', '/service/account')).body.id;
    const nowMs = Date.now();
    const store = new Store(databasePath(server.dataDir));
    store.atomically(() => {
      for (let n = 1; n <= 60; n++) {
        const at = { createdAtMs: nowMs - n * 1_000, expiresAtMs: nowMs + 3_600_000 };
        // The oldest was made with the newest.
        const mintedBy = n === 60 ? { mintedBy: 'key_1' } : {};
        store.keys.insert({
          id: `key_${n}`,
          accountId,
          name: `k${n}`,
          digest: n.toString(16).padStart(64, '0'),
          ...at,
          ...mintedBy,
        });
        store.tokens.insertGrant({ id: `tok_${n}`, accountId, clientId: 'runcloud-cli', deviceName: `d${n}`, ...at });
        store.viewerLinks.insert({ id: `lnk_${n}`, sessionId: live.id, role: n === 60 ? 'control' : 'view', ...at });
      }
    });
    store.close();

    const link = withLinks(server.dataDir, (links) => links.signIn('local').path);
    const dashboard = await DashboardPage.open(await startBrowser(t), server.url + link);
    const { page } = dashboard;
    /** Waits for so many rows of a list; the last of its button is the end of it. */
    const shown = async (place: Locator, prefix: string, counts: readonly number[]) => {
      const rows = place.locator(`[data-id^=${prefix}]`);
      const more = place.getByRole('button', { name: 'Show more' });
      for (const [index, count] of counts.entries()) {
        if (index > 0) await more.click();
        await rows.nth(count - 1).waitFor();
        t.equal(await rows.count(), count, prefix);
      }
      t.equal(await more.count(), 0, prefix);
    };
    const dialog = page.getByRole('dialog');
    const list = async <T>(path: string) => (await rest.call<T>('GET', `${path}?limit=200`)).body;

    await page.getByRole('link', { name: 'API keys' }).click();
    await dashboard.heading('API keys');
    const programs = page.locator('section');
    const newest = page.locator('[data-id=key_1]').getByRole('button');
    await newest.click();
    await dialog.getByText('“k60”').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await shown(programs, 'tok_', [50, 60]);
    await programs.locator('[data-id=tok_60]').getByRole('button').click();
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await programs.locator('[data-id=tok_60]').waitFor({ state: 'detached' });
    t.equal(await programs.locator('.row').count(), 59, 'what was shown stays shown');
    t.equal((await list<TokenList>('/service/account/tokens')).tokens.length, 59);
    // With the key of the test itself.
    await shown(page.locator('.page'), 'key_', [50, 61]);
    await page.locator('[data-id=key_59]').getByRole('button').click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.locator('[data-id=key_59]').waitFor({ state: 'detached' });
    t.equal((await list<KeyList>('/service/account/keys')).keys.length, 60);

    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('button', { name: /^Links/ }).click();
    await shown(dialog, 'lnk_', [20, 40, 60]);
    const oldest = dialog.locator('[data-id=lnk_60]');
    t.match(await oldest.textContent(), /Can control the session.*lnk_60 · expires in/);
    await oldest.getByRole('button').click();
    await dialog.getByRole('heading', { name: 'Revoke the link?' }).waitFor();
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await oldest.waitFor({ state: 'detached' });
    const { viewerLinks } = await list<ViewerLinkList>(`/service/sessions/${live.id}/viewer-links`);
    t.equal(viewerLinks.length, 59);
    t.notOk(viewerLinks.some(({ id }) => id === 'lnk_60'));
    t.same(await dashboard.nameless(), []);
    t.same(dashboard.faults, []);
  },
);
