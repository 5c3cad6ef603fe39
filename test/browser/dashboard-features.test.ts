import type { Page, Route } from 'playwright-core';
import t from 'tap';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { withLinks } from '../support/dashboard-client.ts';
import { DashboardPage } from '../support/dashboard-page.ts';
import { startServer } from '../support/server.ts';

/** Answers of recordings and apps, as the contract describes them; the page cannot tell who gives them. */

const json = (route: Route, status: number, body: unknown, headers: Record<string, string> = {}) =>
  route.fulfill({ status, contentType: 'application/json', headers, body: JSON.stringify(body) });

async function withRoutes(page: Page, url: string, paths: readonly string[]): Promise<void> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, unknown> };
  for (const known of Object.keys(document.paths)) if (/recordings|assets/.test(known)) delete document.paths[known];
  for (const path of paths) document.paths[path] = {};
  await page.route('**/openapi.json', (route) => json(route, 200, document));
}

t.test('what this build cannot do is in no menu', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const { page } = await DashboardPage.open(await startBrowser(t), 'about:blank');
  await withRoutes(page, server.url, []);
  await page.goto(server.url + withLinks(server.dataDir, (links) => links.signIn('local').path));
  await page.locator('nav').waitFor();
  const items = await page.locator('nav li').allTextContents();
  t.strictSame(items, ['Sessions', 'API keys', 'Usage', 'Account']);
});

t.test(
  'recordings of all sessions, newest first: played, downloaded, and a failure with its remedy',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const [one, two] = [await server.rest.createSession('ios'), await server.rest.createSession('android')];
    const dashboard = await DashboardPage.open(await startBrowser(t), 'about:blank');
    const { page } = dashboard;
    await withRoutes(page, server.url, ['/service/{platform}/{sessionId}/recordings']);
    const now = Date.now();
    const at = (ms: number) => new Date(now + ms).toISOString();
    await page.route(`**/service/ios/${one.id}/recordings`, (route) =>
      json(route, 200, {
        recordings: [
          {
            id: 'rec_ready',
            sessionId: one.id,
            status: 'ready',
            createdAt: at(-60_000),
            byteSize: 1_400_000,
            durationMs: 62_000,
            retentionExpiresAt: at(6.9 * 86_400_000),
            downloadUrl: `/service/ios/${one.id}/recordings/rec_ready/download`,
          },
        ],
      }),
    );
    await page.route(`**/service/android/${two.id}/recordings`, (route) =>
      json(route, 200, {
        recordings: [
          {
            id: 'rec_failed',
            sessionId: two.id,
            status: 'failed',
            createdAt: at(-1_000),
            failure: {
              stage: 'capture',
              code: 'storage_full',
              message: 'The disk is full.',
              action: 'Free some space.',
              retryable: false,
            },
          },
        ],
      }),
    );
    let asked = 0;
    await page.route('**/rec_ready/download', (route) => {
      asked++;
      return route.fulfill({
        status: 200,
        contentType: 'video/mp4',
        body: Buffer.from('not a video'),
      });
    });
    await page.goto(server.url + withLinks(server.dataDir, (links) => links.signIn('local').path));
    await page.getByRole('link', { name: 'Recordings' }).click();
    const rows = page.locator('.recording');
    await rows.nth(1).waitFor();
    t.strictSame(await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-recording'))), [
      'rec_failed',
      'rec_ready',
    ]);
    t.match(await rows.nth(0).textContent(), /The disk is full\. Free some space\..*Failed/);
    t.match(await rows.nth(1).textContent(), /1 min 2 s · 1\.4 MB · deleted in 7 days.*Ready/);
    t.equal(await rows.nth(0).getByRole('link').count(), 0, 'there is nothing to download');
    // What a `download` link loads goes past the routes of a test: the address and the wish to keep it are what is told.
    const download = rows.nth(1).getByRole('link', { name: /^Download/ });
    t.match(await download.getAttribute('href'), /rec_ready\/download$/);
    t.equal(await download.getAttribute('download'), '');
    await rows.nth(1).getByRole('button', { name: /^Play/ }).click();
    t.match(await page.locator('video').getAttribute('src'), /rec_ready\/download$/);
    await page.getByText('cannot be played here').waitFor();
    t.ok(asked >= 1);
    t.strictSame(await dashboard.nameless(), []);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('video').waitFor({ state: 'detached' });
    t.strictSame(dashboard.faults, []);
  },
);

t.test(
  'an app is picked, uploaded as it is, offered to new sessions, and deleted',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const dashboard = await DashboardPage.open(await startBrowser(t), 'about:blank');
    const { page } = dashboard;
    await withRoutes(page, server.url, ['/service/assets']);
    const asset = {
      id: 'ast_1',
      platform: 'ios',
      name: 'Notes',
      identifier: 'com.example.notes',
      version: '1.2',
      byteSize: 8,
      checksum: 'sha256:0',
      urlSchemes: ['notes'],
      createdAt: new Date().toISOString(),
    };
    let assets: (typeof asset)[] = [];
    const uploads: { body: string | null; headers: Record<string, string> }[] = [];
    await page.route('**/service/assets', async (route) => {
      const request = route.request();
      if (request.method() === 'GET') return json(route, 200, { assets });
      uploads.push({ body: request.postData(), headers: await request.allHeaders() });
      if (request.postData() === 'a poem') {
        const error = { code: 'invalid_asset', message: 'The file is no ZIP archive.', retryable: false };
        return json(route, 400, { ok: false, error });
      }
      assets = [asset];
      return json(route, 201, asset);
    });
    await page.route('**/service/assets/ast_1', (route) => {
      if (assets.length === 1 && uploads.length < 3) {
        uploads.push({ body: null, headers: {} });
        const error = { code: 'asset_in_use', message: 'A session still uses this asset.', retryable: false };
        return json(route, 409, { ok: false, error });
      }
      assets = [];
      return json(route, 200, { id: 'ast_1', deleted: true });
    });
    await page.goto(server.url + withLinks(server.dataDir, (links) => links.signIn('local').path));
    await page.getByRole('link', { name: 'Apps' }).click();
    await page.getByText('No apps yet').waitFor();
    const pick = (name: string, text: string) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) });
    await pick('poem.apk', 'a poem');
    t.match(await page.getByRole('alert').textContent(), 'The file is no ZIP archive.');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await pick('notes.ipa', 'PK\u0003\u0004 app');
    await page.locator('[data-asset=ast_1]').waitFor();
    t.match(uploads[1], {
      body: 'PK\u0003\u0004 app',
      headers: { 'content-type': 'application/octet-stream', 'x-runcloud-dashboard': '1', origin: server.url },
    });
    t.match(
      await page.locator('[data-asset=ast_1]').textContent(),
      /Notes 1\.2iOS · com\.example\.notes · 8 bytes.*notes:/,
    );

    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('button', { name: 'New session' }).first().click();
    await page.getByLabel('Notes 1.2').waitFor();
    await page.getByRole('radio', { name: 'Android' }).check();
    t.equal(await page.getByLabel('Notes 1.2').count(), 0, 'not on the other platform');
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Apps' }).click();
    await page.getByRole('button', { name: 'Delete Notes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    t.match(await dialog.getByRole('alert').textContent(), 'A session still uses this asset.');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No apps yet').waitFor();
    t.strictSame(dashboard.faults, []);
  },
);
