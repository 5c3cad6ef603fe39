import { readFileSync } from 'node:fs';
import type { SessionRecord } from '@runcloud/protocol';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import t from 'tap';
import { seriousFaults } from '../support/axe.ts';
import { startBrowser, ViewerPage, withoutBrowser } from '../support/browser.ts';
import { withLinks } from '../support/dashboard-client.ts';
import { solidPng } from '../support/ios-package.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** A browser that is signed in to the account, and shows a session. */
async function openSignedIn(
  server: TestServer,
  browser: Browser,
  session: SessionRecord,
  options: BrowserContextOptions = {},
): Promise<ViewerPage> {
  const viewer = await ViewerPage.blank(browser, options);
  await viewer.page.goto(server.url + withLinks(server.dataDir, (links) => links.signIn('local').path));
  await viewer.page.getByRole('heading', { name: 'Start a phone' }).waitFor();
  await viewer.page.goto(session.url);
  await viewer.shown();
  return viewer;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

t.test('the owner of a session shares it, and ends it', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios', { labels: { name: 'checkout' } });
  const browser = await startBrowser(t);
  const viewer = await openSignedIn(server, browser, session);
  const { page } = viewer;
  t.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'checkout');
  t.match(await page.locator('.left').textContent(), /^1 h 5\d min left$/);
  t.equal(await page.getByRole('link', { name: 'Dashboard' }).getAttribute('href'), '/dashboard');

  await button(page, 'Share').click();
  await button(page, 'Create link').click();
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  await button(page, 'Close').click();
  const guest = await ViewerPage.open(browser, { url: link });
  t.equal(await guest.data('role'), 'view', 'a guest may watch unless the owner says more');
  t.equal(await button(guest.page, 'Share').count(), 0, 'and is offered nothing of the owner');
  t.equal(await button(guest.page, 'Home').count(), 0);
  await guest.click(0.5, 0.5);
  await guest.page.getByText('You are watching.').waitFor();
  t.equal(await guest.page.locator('.keys').isVisible(), false);

  await button(page, 'End session').click();
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await page.getByRole('heading', { name: 'Session ended' }).waitFor();
  await guest.page.getByText('It was ended, and its device was released.').waitFor();
  t.equal(await page.getByRole('link', { name: 'Recordings and history' }).count(), 1);
  await button(page, 'New session like this one').click();
  await page.waitForURL((url) => url.pathname.startsWith('/view/') && !url.pathname.includes(session.id));
  await viewer.shown();
  t.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'checkout', 'with the same labels');
  t.same([...viewer.faults, ...guest.faults], []);
});

t.test('addresses are opened, and refused with a reason', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('android');
  const viewer = await ViewerPage.open(await startBrowser(t), session);
  const { page } = viewer;
  await button(page, 'Open URL').click();
  await page.getByRole('textbox', { name: 'Address' }).fill('nobody-knows://this');
  await button(page, 'Open').click();
  await page
    .getByRole('alert')
    .getByText(/No installed app/)
    .waitFor();
  await page.getByRole('textbox', { name: 'Address' }).fill('example.com/page');
  await button(page, 'Open').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  t.match(await server.inspect('android', session.id), { foreground: 'browser' });
  t.same(viewer.faults, []);
});

t.test('a recording says how long it runs, and where it is when it has ended', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const viewer = await openSignedIn(server, await startBrowser(t), session);
  const { page } = viewer;
  await button(page, 'Record').click();
  const running = button(page, 'Stop recording');
  await page.locator('.tool.recording', { hasText: '0:01' }).waitFor();
  await viewer.click(0.388, 0.922);
  await running.click();
  const dialog = page.getByRole('dialog');
  const play = await dialog.getByRole('link', { name: 'Play' }).getAttribute('href');
  t.equal(await dialog.getByRole('textbox').inputValue(), `${server.url}${play}`);
  const download = page.waitForEvent('download');
  await dialog.getByRole('link', { name: 'Download' }).click();
  t.match((await download).suggestedFilename(), /\.mp4$/);
  await page.goto(`${server.url}${play}`);
  await page.locator('video').waitFor();
  t.same(viewer.faults, []);
});

t.test('an app that is dropped on the page is installed on the device', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const viewer = await openSignedIn(server, await startBrowser(t), session);
  const { page } = viewer;
  const drop = async (bytes: Uint8Array, name: string) => {
    const data = await page.evaluateHandle(
      ({ bytes, name }) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(bytes)], name));
        return transfer;
      },
      { bytes: [...bytes], name },
    );
    await page.locator('main').dispatchEvent('dragover', { dataTransfer: data });
    t.equal(await viewer.data('dropping'), 'true');
    await page.locator('main').dispatchEvent('drop', { dataTransfer: data });
    t.equal(await viewer.data('dropping'), 'false');
    await button(page, 'Upload and install').click();
  };
  await drop(readFileSync('server/sample/sample.apk'), 'sample.apk');
  await page.getByText('Drop it on a session of that kind.').waitFor();
  await button(page, 'Cancel').click();
  await drop(readFileSync('server/sample/sample.ipa'), 'sample.ipa');
  await page.getByText('Sample is installed.').waitFor();
  t.match((await server.inspect('ios', session.id)).app, { installed: [{ id: 'com.example.sample' }] });
  const { body } = await server.rest.call<{ sessions: SessionRecord[] }>('GET', '/service/sessions');
  t.equal(body.sessions.length, 1);
});

t.test('a picture that is dropped on the page goes to the photo library', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const viewer = await openSignedIn(server, await startBrowser(t), session);
  const { page } = viewer;
  const drop = async (bytes: Uint8Array, name: string, type: string) => {
    const data = await page.evaluateHandle(
      ({ bytes, name, type }) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
        return transfer;
      },
      { bytes: [...bytes], name, type },
    );
    await page.locator('main').dispatchEvent('drop', { dataTransfer: data });
  };
  await drop(solidPng(16, '#00c000'), 'beach.png', 'image/png');
  await page.getByText('beach.png is in the photos.').waitFor();
  await server.rest.interact(session, { action: 'launchApp', app: 'photos' });
  t.match((await server.inspect('ios', session.id)).app, { photos: [/^runcloud-.*\.png$/] });
  await drop(Buffer.from('no picture'), 'other.png', 'image/png');
  await page.getByText('The body is none of these').waitFor();
});

t.test('shortcuts are listed, and the picture is shown in its own size', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const viewer = await ViewerPage.open(await startBrowser(t), session);
  const { page } = viewer;
  const width = async () => (await page.locator('.screen').boundingBox())?.width ?? 0;
  const fitting = await width();
  await button(page, 'Actual size').click();
  t.equal(await width(), 590, 'each pixel of the device is one of the screen');
  await button(page, 'Fit to window').click();
  t.equal(await width(), fitting);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Shortcuts' }).getByText('two fingers that pinch or turn').waitFor();
  await page.keyboard.press('Escape');
  // A dialog that closes gives the focus back, after it is gone from sight.
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.locator('.keys').focus();
  await page.keyboard.press('?');
  t.equal(await page.getByRole('dialog').count(), 0, 'on the screen the key is the device’s');
  t.same(viewer.faults, []);
});

for (const colorScheme of ['light', 'dark'] as const) {
  t.test(`axe-core finds nothing serious on the viewer, ${colorScheme}`, { skip: withoutBrowser }, async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const session = await server.rest.createSession('ios');
    const viewer = await openSignedIn(server, await startBrowser(t), session, { colorScheme, bypassCSP: true });
    const { page } = viewer;
    t.strictSame(await seriousFaults(page), [], 'live');
    for (const name of ['Share', 'End session', 'Open URL', 'Insert text', 'Shortcuts']) {
      await button(page, name).first().click();
      t.strictSame(await seriousFaults(page), [], name);
      await page.keyboard.press('Escape');
    }
    await server.rest.releaseSession(session.id);
    await page.getByRole('heading', { name: 'Session ended' }).waitFor();
    t.strictSame(await seriousFaults(page), [], 'ended');
    await page.reload();
    await page.getByRole('heading', { name: 'This session has ended' }).waitFor();
    t.strictSame(await seriousFaults(page), [], 'ended, loaded again');
    await page.goto(`${server.url}/view/${session.id}?token=wrong`);
    t.strictSame(await seriousFaults(page), [], 'a link that is not valid');
  });
}
