import { readFileSync } from 'node:fs';
import type { SessionRecord } from '@runcloud/protocol';
import type { Route } from 'playwright-core';
import t from 'tap';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { withLinks } from '../support/dashboard-client.ts';
import { DashboardPage } from '../support/dashboard-page.ts';
import { iosPackage } from '../support/ios-package.ts';
import { RestClient } from '../support/rest-client.ts';
import { startServer } from '../support/server.ts';

interface Recording {
  readonly id: string;
  readonly status: string;
  readonly byteSize: number;
  readonly durationMs: number;
}

const signInLink = (dataDir: string) => withLinks(dataDir, (links) => links.signIn('local').path);

t.test(
  'from the invitation to the first key, the first session, and its recording played and downloaded',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const invitation = withLinks(server.dataDir, (links) => links.invite('ada@example.com').path);
    const dashboard = await DashboardPage.open(await startBrowser(t), server.url + invitation);
    const { page } = dashboard;
    await page.getByLabel('Password').fill('correct horse battery');
    await page.keyboard.press('Enter');
    await dashboard.fromHome();
    t.strictSame(await page.locator('nav li').allTextContents(), [
      'Sessions',
      'Recordings',
      'Apps',
      'API keys',
      'Usage',
      'Account',
    ]);

    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Create a key' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('CI');
    await page.keyboard.press('Enter');
    const rest = new RestClient(server.url, await page.getByRole('textbox', { name: 'API key' }).inputValue());
    await page.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('button', { name: 'New session' }).first().click();
    await page.getByRole('button', { name: 'Create session' }).click();
    const id = (await page.locator('.session').getAttribute('data-session')) ?? '';
    const { body: session } = await rest.call<SessionRecord>('GET', `/service/sessions/${id}`);
    const home = `/service/ios/${id}/recordings`;
    const started = (await rest.call<Recording>('POST', home)).body;
    await page.getByRole('link', { name: 'Recordings' }).click();
    await page.locator('.recording .chip', { hasText: 'Recording now' }).waitFor();
    for (const [x, y] of [
      [0.39, 0.92],
      [0.5, 0.5],
      [0.2, 0.3],
    ] as const) {
      await rest.interact(session, { action: 'tap', x, y });
      await rest.interact(session, { action: 'typeText', text: 'Played' });
      await page.waitForTimeout(300);
    }
    let { body: recording } = await rest.call<Recording>('POST', `${home}/${started.id}/stop`);
    while (recording.status === 'finalizing') {
      recording = (await rest.call<Recording>('GET', `${home}/${started.id}`)).body;
    }
    t.equal(recording.status, 'ready');

    const row = page.locator(`[data-recording=${recording.id}]`);
    await row.filter({ hasText: 'Ready' }).waitFor();
    t.match(await row.textContent(), /iOS · .* · expires in 7 days/);
    await row.getByRole('link', { name: /^Play/ }).click();
    const video = page.locator('video');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await video.evaluate(
      (one: HTMLVideoElement) =>
        new Promise<void>((resolve, reject) => {
          one.addEventListener('error', () => reject(new Error(one.error?.message)));
          one.addEventListener('ended', () => resolve());
          if (one.ended) resolve();
        }),
    );
    const played = await video.evaluate((one: HTMLVideoElement) => {
      const canvas = new OffscreenCanvas(8, 16);
      const context = canvas.getContext('2d');
      context?.drawImage(one, 0, 0, 8, 16);
      const tones = new Set(context?.getImageData(0, 0, 8, 16).data ?? []).size;
      return { width: one.videoWidth, height: one.videoHeight, ms: one.duration * 1_000, tones };
    });
    t.match(played, { width: 590, height: 1_280 });
    t.ok(Math.abs(played.ms - recording.durationMs) < 100, `${played.ms} of ${recording.durationMs} ms`);
    t.ok(played.tones > 5, 'its last picture is no empty rectangle');
    t.equal(await page.locator('.player').getByRole('alert').textContent(), '');
    t.strictSame(await dashboard.nameless(), []);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download/ }).click(),
    ]);
    const file = readFileSync(await download.path());
    t.strictSame([file.length, file.toString('latin1', 4, 8)], [recording.byteSize, 'ftyp']);
    t.match(download.suggestedFilename(), /\.mp4$/);
    t.strictSame(dashboard.faults, []);
  },
);

t.test(
  'an app is picked, uploaded, installed in a new session, and deleted when no session has it',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const dashboard = await DashboardPage.open(await startBrowser(t), server.url + signInLink(server.dataDir));
    const { page } = dashboard;
    await page.getByRole('link', { name: 'Apps' }).click();
    await page.getByText('No apps yet').waitFor();
    const pick = async (name: string, buffer: Buffer) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Upload an app' }).first().click(),
      ]);
      await chooser.setFiles({ name, mimeType: '', buffer });
    };
    await pick('poem.apk', Buffer.from('a poem'));
    t.match(await page.getByRole('alert').textContent(), /ZIP/);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    const demo = await iosPackage();
    await pick('demo.ipa', demo);
    const app = page.locator('[data-asset]');
    await app.waitFor();
    t.match(await app.textContent(), /Demo 1\.2\.3iOS · com\.example\.demo · .*demo:/);
    const { body } = await server.rest.call<{ assets: { id: string; byteSize: number }[] }>('GET', '/service/assets');
    t.match(body.assets, [{ id: await app.getAttribute('data-asset'), byteSize: demo.length }]);

    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('button', { name: 'New session' }).first().click();
    await page.getByRole('radio', { name: 'Android' }).check();
    t.equal(await page.getByLabel('Demo 1.2.3').count(), 0, 'not on the other platform');
    await page.getByRole('radio', { name: 'iOS' }).check();
    await page.getByLabel('Demo 1.2.3').check();
    await page.getByRole('button', { name: 'Create session' }).click();
    const id = (await page.locator('.session').getAttribute('data-session')) ?? '';
    const record = await server.rest.call('GET', `/service/sessions/${id}`);
    t.match(record.body, { installAssets: [body.assets[0]?.id] });
    t.equal((await server.rest.call('POST', `/service/ios/${id}/open-url`, { url: 'demo://x' })).status, 200);

    const remove = async () => {
      await page.getByRole('link', { name: 'Apps' }).click();
      await page.getByRole('button', { name: 'Delete Demo' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    };
    await remove();
    t.match(await page.getByRole('dialog').getByRole('alert').textContent(), /session/);
    await page.keyboard.press('Escape');
    await server.rest.releaseSession(id);
    await remove();
    await page.getByText('No apps yet').waitFor();
    t.strictSame(dashboard.faults, []);
  },
);

t.test(
  'a recording that failed is shown with its remedy, above those before it',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const session = await server.rest.createSession('android');
    const dashboard = await DashboardPage.open(await startBrowser(t), 'about:blank');
    const { page } = dashboard;
    // A disk that is full, and a file that was damaged, are told by the service alone.
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const failure = { message: 'The disk is full.', action: 'Free some space.', retryable: false };
    const downloadUrl = `/service/android/${session.id}/recordings/rec_ready/download`;
    const common = { sessionId: session.id };
    const recordings = [
      { ...common, id: 'rec_ready', status: 'ready', createdAt: at(-60_000), downloadUrl },
      { ...common, id: 'rec_failed', status: 'failed', createdAt: at(-1_000), failure },
    ];
    await page.route(`**/service/android/${session.id}/recordings`, (route: Route) => {
      return route.fulfill({ contentType: 'application/json', body: JSON.stringify({ recordings }) });
    });
    await page.route('**/rec_ready/download', (route) => route.fulfill({ contentType: 'video/mp4', body: 'no video' }));
    await page.goto(server.url + signInLink(server.dataDir));
    await page.getByRole('link', { name: 'Recordings' }).click();
    const rows = page.locator('.recording');
    await rows.nth(1).waitFor();
    t.match(await rows.nth(0).textContent(), /The disk is full\. Free some space\..*Failed/);
    t.equal(
      await rows
        .nth(0)
        .getByRole('link', { name: /^(Play|Download)/ })
        .count(),
      0,
      'there is nothing to download',
    );
    await page.route('**/recordings/rec_ready', (route: Route) => {
      return route.fulfill({ contentType: 'application/json', body: JSON.stringify({ ...recordings[0], events: [] }) });
    });
    await rows.nth(1).getByRole('link', { name: /^Play/ }).click();
    await page.getByText('cannot be played here').waitFor();
    t.strictSame(dashboard.faults, []);
  },
);
