import t from 'tap';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { withLinks } from '../support/dashboard-client.ts';
import { DashboardPage } from '../support/dashboard-page.ts';
import { startServer } from '../support/server.ts';

const PASSWORD = 'correct horse battery';

t.test('a program is approved or denied by a user who sees which program asks', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const ask = async () => {
    const body = new URLSearchParams({ client_id: 'runcloud-cli', device_name: '<b>Ada’s laptop</b>' });
    const response = await fetch(`${server.url}/oauth/device_authorization`, { method: 'POST', body });
    return (await response.json()) as { user_code: string; device_code: string; verification_uri_complete: string };
  };
  const answer = async (device_code: string) => {
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const body = new URLSearchParams({ client_id: 'runcloud-cli', grant_type, device_code });
    const response = await fetch(`${server.url}/oauth/token`, { method: 'POST', body });
    return (await response.json()) as Record<string, string>;
  };
  const browser = await startBrowser(t);
  const link = withLinks(server.dataDir, (links) => links.signIn('local').path);
  const dashboard = await DashboardPage.open(browser, server.url + link);
  const { page } = dashboard;
  await dashboard.fromHome();
  const first = await ask();
  await page.goto(first.verification_uri_complete);
  await dashboard.heading('Sign in a program');
  t.equal(await page.getByLabel('Code').inputValue(), first.user_code);
  t.match(await answer(first.device_code), { error: 'authorization_pending' }, 'opening the link decides nothing');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Is this you?').waitFor();
  const shown = await page.locator('.facts-list').textContent();
  t.match(shown, '<b>Ada’s laptop</b>', 'what the program says of itself is text');
  t.match(shown, /RunCloud command line.*127\.0\.0\.1/);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The program is signed in').waitFor();

  const second = await ask();
  await page.goto(`${server.url}/dashboard/device`);
  await page.getByLabel('Code').fill('bbbb-bbbb');
  await page.keyboard.press('Enter');
  t.match(await page.getByRole('alert').textContent(), /no sign-in request.*Check the code/);
  await page.getByLabel('Code').fill(second.user_code.toLowerCase().replace('-', ' '));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('The request was denied').waitFor();
  t.match(await answer(second.device_code), { error: 'access_denied' });
  const tokens = await answer(first.device_code);
  t.match(tokens.access_token ?? JSON.stringify(tokens), /^rca_|slow_down/);

  // A user who is not signed in gets the sign-in page first, then the requested page.
  const other = await DashboardPage.open(browser, (await ask()).verification_uri_complete);
  await other.heading('Sign in');
  await page.goto(`${server.url}/dashboard/account`);
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByLabel('Current password').waitFor();
  await other.page.getByLabel('E-mail').fill('ada@example.com');
  await other.page.getByLabel('Password').fill(PASSWORD);
  await other.page.keyboard.press('Enter');
  await other.heading('Sign in a program');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out.').waitFor();
  await page.goto(`${server.url}/dashboard`);
  await dashboard.heading('Sign in');
  t.strictSame([...dashboard.faults, ...other.faults], []);
});

t.test(
  'every page fits a phone and a desk, light and dark, and every control has a name',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    await server.rest.createSession('ios', {
      labels: { 'a.long.name.of.a.label': 'and a value that is just as long' },
    });
    await server.rest.createSession('android', { orientation: 'landscape_left' });
    await server.rest.call('POST', '/service/account/keys', { name: 'W'.repeat(64) });
    const browser = await startBrowser(t);
    for (const [width, colorScheme] of [
      [320, 'dark'],
      [390, 'dark'],
      [1280, 'light'],
    ] as const) {
      const link = withLinks(server.dataDir, (links) => links.signIn('local').path);
      const options = { viewport: { width, height: 844 }, colorScheme };
      const dashboard = await DashboardPage.open(browser, server.url + link, options);
      await dashboard.fromHome();
      const { page } = dashboard;
      for (const [path, ready] of [
        ['', '.session img:not([hidden])'],
        ['/recordings', '.empty, .recording'],
        ['/apps', '.empty, .row'],
        ['/keys', '.row'],
        ['/usage', '.tiles'],
        ['/hosts', '.row'],
        ['/account', '.facts-list'],
        ['/device', 'form'],
      ] as const) {
        if (path !== '') await page.goto(`${server.url}/dashboard${path}`);
        await page.locator(ready).first().waitFor();
        t.strictSame(await dashboard.overflow(), [], `${path} at ${width}`);
        t.strictSame(await dashboard.nameless(), [], `${path} at ${width}`);
        t.equal(await page.locator('h1').count(), 1);
        const spilled = await page
          .locator('nav li a')
          .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
        t.strictSame(spilled, [], 'every word of the menu has its room');
      }
      const ground = await page.evaluate(
        () => getComputedStyle(document.body.parentElement ?? document.body).backgroundColor,
      );
      t.equal(ground, colorScheme === 'dark' ? 'rgb(23, 26, 32)' : 'rgb(238, 240, 243)');
      t.strictSame(dashboard.faults, []);
    }
  },
);

t.test(
  'the list does not jump: cards stay where they are while they are brought up to date',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    for (const platform of ['ios', 'android', 'ios'] as const) await server.rest.createSession(platform);
    const link = withLinks(server.dataDir, (links) => links.signIn('local').path);
    const dashboard = await DashboardPage.open(await startBrowser(t), server.url + link);
    await dashboard.fromHome();
    const { page, faults } = dashboard;
    await page.locator('.session').nth(2).waitFor();
    const places = () =>
      page
        .locator('.session, .session button')
        .evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));
    const before = await places();
    await page.locator('.session button').nth(1).focus();
    await page.locator('.session img:not([hidden])').nth(2).waitFor();
    // Two rounds of the list.
    await page.waitForTimeout(6_500);
    t.strictSame(await places(), before);
    t.ok(
      await page
        .locator('.session button')
        .nth(1)
        .evaluate((one) => one === document.activeElement),
      'the focus stays',
    );
    t.strictSame(faults, []);
  },
);
