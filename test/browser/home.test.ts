import t from 'tap';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { withLinks } from '../support/dashboard-client.ts';
import { DashboardPage } from '../support/dashboard-page.ts';
import { startServer } from '../support/server.ts';

t.test('a sign-in link leads to two phones, and one click to either', { skip: withoutBrowser }, async (t) => {
  const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:1,virtual-android:1' });
  t.teardown(() => server.close());
  const browser = await startBrowser(t);
  const link = withLinks(server.dataDir, (links) => links.signIn('local').path);
  const home = await DashboardPage.open(browser, server.url + link);
  const { page } = home;
  await home.heading('Start a phone');
  t.equal(new URL(page.url()).pathname, '/');
  t.strictSame([...(await home.nameless()), ...(await home.overflow())], []);
  for (const [name, platform] of [
    ['iPhone', 'ios'],
    ['Android phone', 'android'],
  ] as const) {
    await page.goto(server.url);
    await home.tabTo('button', new RegExp(name));
    await page.keyboard.press('Enter');
    await page.locator(`#app[data-platform="${platform}"] canvas`).waitFor();
  }

  await page.goto(server.url);
  await page.getByRole('button', { name: /iPhone/ }).click();
  t.match(await page.getByRole('alert').textContent(), /No iOS device is free/);
  await page.getByRole('link', { name: 'Running phones' }).click();
  await home.heading('Sessions');
  await page.getByRole('link', { name: 'RunCloud' }).click();
  await home.heading('Start a phone');
  t.strictSame(home.faults, []);

  const stranger = await DashboardPage.open(browser, server.url);
  await stranger.heading('Sign in');
  t.match(await stranger.page.textContent('main'), 'npm run --silent admin -- account sign-in local');
  t.strictSame(stranger.faults, []);
});

t.test('a program that asks for the home page is told where the API is described', async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const response = await fetch(server.url);
  t.equal(response.status, 404);
  t.match(await response.json(), { ok: false, error: { code: 'not_found', message: /openapi\.json/ } });
});
