import t from 'tap';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { withLinks } from '../support/dashboard-client.ts';
import { DashboardPage } from '../support/dashboard-page.ts';
import { RestClient } from '../support/rest-client.ts';
import { startServer } from '../support/server.ts';

const PASSWORD = 'correct horse battery';

t.test(
  'somebody who was invited chooses a password, makes a first key, and has a first session: by keyboard alone',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const link = withLinks(server.dataDir, (links) => links.invite('ada@example.com').path);
    const dashboard = await DashboardPage.open(await startBrowser(t), server.url + link);
    const { page } = dashboard;
    const { keyboard } = page;
    await dashboard.heading('Welcome');
    t.notMatch(page.url(), /rcl_/, 'the secret does not stay in the address');
    await dashboard.tabTo('textbox', 'Password');
    await keyboard.type('short');
    await keyboard.press('Enter');
    await dashboard.heading('Welcome');
    await keyboard.press('Control+A');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await dashboard.fromHome();
    t.equal(new URL(page.url()).pathname, '/dashboard');
    t.match(await page.locator('.who').textContent(), 'ada@example.com');

    await dashboard.tabTo('link', 'API keys');
    await keyboard.press('Enter');
    await dashboard.heading('API keys');
    t.equal(await page.evaluate(() => document.activeElement?.textContent), 'API keys', 'the new page is read out');
    await page.getByText('No API keys').waitFor();
    await dashboard.tabTo('button', 'Create a key');
    await keyboard.press('Enter');
    await dashboard.tabTo('textbox', 'Name');
    await keyboard.type('CI');
    await keyboard.press('Enter');
    const key = await page.getByRole('textbox', { name: 'API key' }).inputValue();
    t.match(key, /^rck_\w{38}$/);
    await dashboard.tabTo('button', 'Close');
    await keyboard.press('Enter');
    await page.locator('.row', { hasText: 'expires in 30 days' }).waitFor();
    t.notMatch(await page.content(), key, 'it is shown once');
    const rest = new RestClient(server.url, key);
    t.equal((await rest.call('GET', '/service/account')).status, 200);

    await dashboard.tabTo('link', 'Sessions');
    await keyboard.press('Enter');
    await page.getByText('No session is running').waitFor();
    await dashboard.tabTo('button', 'New session');
    await keyboard.press('Enter');
    await page.getByRole('radio', { name: 'iOS' }).focus();
    await keyboard.press('ArrowRight');
    await keyboard.press('Enter');
    const card = page.locator('.session');
    await card.locator('img:not([hidden])').waitFor();
    const { body } = await rest.call<{ sessions: { id: string; platform: string }[] }>('GET', '/service/sessions');
    t.match(body.sessions, [{ platform: 'android', id: (await card.getAttribute('data-session')) ?? 'none' }]);
    t.strictSame(dashboard.faults, []);
  },
);

t.test('a thumbnail follows the screen, and its picture is the screen', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const link = withLinks(server.dataDir, (links) => links.signIn('local').path);
  const dashboard = await DashboardPage.open(await startBrowser(t), server.url + link);
  await dashboard.fromHome();
  const { page } = dashboard;
  const picture = page.locator('.session img:not([hidden])');
  await picture.waitFor();
  const look = () =>
    picture.evaluate((image: HTMLImageElement) => {
      const canvas = new OffscreenCanvas(8, 16);
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0, 8, 16);
      return {
        width: image.naturalWidth,
        height: image.naturalHeight,
        data: [...(context?.getImageData(0, 0, 8, 16).data ?? [])],
      };
    });
  const before = await look();
  t.equal(before.height, 480);
  t.ok(Math.abs(before.width / before.height - session.device.width / session.device.height) < 0.01);
  t.ok(new Set(before.data).size > 20, 'it is no empty rectangle');
  // Notes is white.
  await server.rest.interact(session, { action: 'tap', x: 0.39, y: 0.92 });
  const brightness = (data: readonly number[]) => data.reduce((sum, value) => sum + value, 0) / data.length;
  let now = await look();
  for (let n = 0; n < 150 && Math.abs(brightness(now.data) - brightness(before.data)) < 20; n++) {
    await page.waitForTimeout(200);
    now = await look();
  }
  t.ok(Math.abs(brightness(now.data) - brightness(before.data)) >= 20, 'it shows the app by now');

  const [viewer] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: /in the viewer/ }).click(),
  ]);
  await viewer.waitForSelector('main[data-state="connected"][data-shown]');
  await page.getByRole('button', { name: /^Release/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
  await page.getByText('No session is running').waitFor();
  await page.locator('.row', { hasText: 'Released' }).waitFor();
  await viewer.waitForSelector('main[data-state="ended"]');
  t.strictSame(dashboard.faults, []);
});

t.test('a failure says what to do, and nothing is lost', { skip: withoutBrowser }, async (t) => {
  const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:1' });
  t.teardown(() => server.close());
  await server.rest.createSession('ios');
  const link = withLinks(server.dataDir, (links) => links.signIn('local').path);
  const dashboard = await DashboardPage.open(await startBrowser(t), server.url + link);
  await dashboard.fromHome();
  const { page } = dashboard;
  await page.locator('.session').waitFor();
  await page.getByRole('button', { name: 'New session' }).first().click();
  await page.getByRole('button', { name: 'Create session' }).click();
  const alert = page.getByRole('dialog').getByRole('alert');
  t.match(await alert.textContent(), /No iOS device is free.*Release a session/);
  await page.keyboard.press('Escape');
  t.equal(await page.locator('.session').count(), 1);

  // A link works once.
  const again = await DashboardPage.open(await startBrowser(t), server.url + link);
  t.match(await again.page.getByRole('alert').textContent(), /used already.*new one/);
  await again.page.getByRole('link', { name: 'Sign in with a password' }).click();
  await again.heading('Sign in');
  await again.page.getByLabel('E-mail').fill('nobody@example.com');
  await again.page.getByLabel('Password').fill('wrong horse battery');
  await again.page.keyboard.press('Enter');
  t.match(await again.page.getByRole('alert').textContent(), /wrong.*Try again/);
  t.equal(await again.page.getByLabel('E-mail').inputValue(), 'nobody@example.com', 'what was typed stays');

  // A sign-in that ends elsewhere ends here, with a word.
  await page.context().clearCookies();
  await page.getByText('You are signed out.').waitFor();
  t.strictSame([...dashboard.faults, ...again.faults], []);
});
