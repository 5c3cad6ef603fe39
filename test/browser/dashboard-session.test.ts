import t from 'tap';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { withLinks } from '../support/dashboard-client.ts';
import { DashboardPage } from '../support/dashboard-page.ts';
import { startServer, TEST_KEY } from '../support/server.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';

const signIn = (dataDir: string) => withLinks(dataDir, (links) => links.signIn('local').path);

t.test(
  'the page of a session shows it live, says how to reach it, and tells its end',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const session = await server.rest.createSession('ios');
    const dashboard = await DashboardPage.open(await startBrowser(t), server.url + signIn(server.dataDir));
    const { page } = dashboard;
    await dashboard.fromHome();
    await page.locator('.session h2 a').click();
    await page.locator('.screen.live canvas:not([hidden])').waitFor();
    t.equal(new URL(page.url()).pathname, `/dashboard/sessions/${session.id}`);
    t.equal(await page.getByLabel('Id of the session').inputValue(), session.id);
    for (const way of ['curl', 'Command line', 'SDK']) {
      t.match(await page.getByRole('textbox', { name: way, exact: true }).inputValue(), session.id, way);
    }

    const pixel = () =>
      page.locator('.screen.live canvas').evaluate((canvas: HTMLCanvasElement) => {
        const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
        return data?.reduce((sum, value) => (sum * 31 + value) % 1_000_003, 0);
      });
    const before = await pixel();
    await server.rest.call('POST', `/service/ios/${session.id}/interactions`, { action: 'tap', x: 0.39, y: 0.92 });
    while ((await pixel()) === before) await page.waitForTimeout(50);
    t.pass('the picture follows the device');
    await page.locator('.history li', { hasText: '0 in control, 1 watching' }).waitFor();

    await page.getByRole('button', { name: 'Create link' }).click();
    const url = await page.getByRole('textbox', { name: 'New link' }).inputValue();
    t.equal((await fetch(url)).status, 200);
    await page.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No link yet').waitFor();
    t.equal((await fetch(url)).status, 401);

    await server.rest.call('DELETE', `/service/sessions/${session.id}`);
    await page.locator('dd', { hasText: 'Released' }).waitFor();
    t.equal(await page.locator('canvas').count(), 0);
    await page.getByRole('link', { name: 'Sessions', exact: true }).click();
    await page.locator('.row.ended a').click();
    await page.locator('dd', { hasText: 'Released' }).waitFor();
    t.strictSame(dashboard.faults, []);
  },
);

t.test('a page says that it loads, and none is wider than its window', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const options = { viewport: { width: 844, height: 390 } };
  const dashboard = await DashboardPage.open(await startBrowser(t), server.url + signIn(server.dataDir), options);
  const { page } = dashboard;
  await dashboard.heading('Start a phone');
  const account = '**/service/account';
  const answered = new Promise<() => Promise<void>>((held) => {
    void page.route(account, (route) => held(() => route.continue()));
  });
  await page.goto(`${server.url}/dashboard/wall`);
  await page.getByText('Loading…').waitFor();
  await (await answered)();
  await page.unroute(account);
  await page.locator('canvas:not([hidden])').waitFor();
  t.equal(await page.getByRole('link', { name: 'Sessions' }).getAttribute('aria-current'), 'page');
  for (const width of [390, 844, 1_000, 1_440]) {
    await page.setViewportSize({ width, height: 390 });
    for (const path of [
      '',
      `/sessions/${session.id}`,
      '/wall',
      '/recordings',
      '/apps',
      '/keys',
      '/usage',
      '/hosts',
      '/account',
    ]) {
      await page.goto(`${server.url}/dashboard${path}`);
      await page.locator('main h1').waitFor();
      if (path.startsWith('/sessions')) await page.locator('.facts-list').waitFor();
      t.strictSame(await dashboard.overflow(), [], `${path} at ${width}`);
    }
  }
  t.strictSame(dashboard.faults, []);
});

t.test('an address that leads nowhere says so in the dashboard', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const dashboard = await DashboardPage.open(await startBrowser(t), server.url + signIn(server.dataDir));
  const { page } = dashboard;
  await dashboard.heading('Start a phone');
  for (const path of ['/dashboard/nope', '/dashboard/nope/x', '/dashboard/keys/x']) {
    t.equal((await page.goto(server.url + path))?.status(), 404, path);
    await dashboard.heading('Page not found');
  }
  await page.goto(`${server.url}/dashboard/sessions/ses_0000000000000000000000`);
  await page.getByText('There is no such session').waitFor();
  await page.goto(`${server.url}/dashboard/recordings/rec_0000000000000000000000?session=ses_1`);
  await page.getByText('There is no such recording').waitFor();
  await page.getByRole('link', { name: 'Sessions', exact: true }).click();
  await dashboard.heading('Sessions');
  t.strictSame(dashboard.faults, []);
});

t.test(
  'that the service is gone is said, and what is old is greyed until it is back',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const dashboard = await DashboardPage.open(await startBrowser(t), server.url + signIn(server.dataDir));
    const { page } = dashboard;
    await dashboard.fromHome();
    await page.context().setOffline(true);
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
    await page.locator('main.old').waitFor();
    await page.context().setOffline(false);
    await page.locator('main:not(.old)').waitFor();
    t.equal(await page.locator('.gone:visible').count(), 0);
    await page.getByText('No session is running').waitFor();
  },
);

t.test('a service that hangs is said to be gone as well', { skip: withoutBrowser }, async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const program = serverProgram(dataDir.path, { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_LOG: 'error' });
  t.teardown(() => program.signal('SIGKILL'));
  const url = await program.ready();
  const dashboard = await DashboardPage.open(await startBrowser(t), url + signIn(dataDir.path));
  await dashboard.fromHome();
  const { page } = dashboard;
  program.signal('SIGSTOP');
  const stoppedAtMs = performance.now();
  await page.locator('main.old').waitFor();
  t.comment(`said after ${Math.round(performance.now() - stoppedAtMs)} ms`);
  t.equal(await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).count(), 1);
  program.signal('SIGCONT');
  await page.locator('main:not(.old)').waitFor();
});

t.test(
  'the wall shows every live session as a live picture, and leads to each by keyboard',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const sessions = [await server.rest.createSession('ios'), await server.rest.createSession('android')];
    const dashboard = await DashboardPage.open(await startBrowser(t), server.url + signIn(server.dataDir));
    const { page } = dashboard;
    await dashboard.fromHome();
    await page.getByRole('link', { name: 'Wall' }).click();
    await dashboard.heading('Wall');
    for (const { id } of sessions) await page.locator(`[data-session=${id}] canvas:not([hidden])`).waitFor();
    await page.getByRole('button', { name: 'Full screen' }).click();
    await page.waitForFunction(() => document.fullscreenElement?.classList.contains('wall-place'));
    await page.evaluate(() => document.exitFullscreen());
    await server.rest.call('DELETE', `/service/sessions/${sessions[1]?.id}`);
    await page.locator(`[data-session=${sessions[1]?.id}]`).waitFor({ state: 'detached' });
    await dashboard.tabTo('link', /^Virtual iPhone · /);
    await page.keyboard.press('Enter');
    await page.locator('.session-top').waitFor();
    t.equal(new URL(page.url()).pathname, `/dashboard/sessions/${sessions[0]?.id}`);
    t.strictSame(dashboard.faults, []);
  },
);

t.test('a recording is played on its own page, step by picture', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const { id } = await server.rest.createSession('ios');
  const recordings = `/service/ios/${id}/recordings`;
  const { body } = await server.rest.call<{ id: string }>('POST', recordings, {});
  for (const x of [0.39, 0.6]) {
    await server.rest.call('POST', `/service/ios/${id}/interactions`, { action: 'tap', x, y: 0.92 });
  }
  await server.rest.call('POST', `${recordings}/${body.id}/stop`);
  const dashboard = await DashboardPage.open(await startBrowser(t), server.url + signIn(server.dataDir));
  const { page } = dashboard;
  await dashboard.heading('Start a phone');
  await page.getByRole('link', { name: 'Recordings' }).click();
  await page.getByRole('link', { name: /^Play / }).click();
  await page.locator('.player video').waitFor();
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
  const at = () => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);
  t.equal(await at(), 0);
  await page.getByRole('button', { name: 'Next picture' }).click();
  const stepped = () => page.locator('.player[aria-busy="false"]').waitFor();
  await stepped();
  const second = await at();
  t.ok(second > 0);
  await page.getByRole('button', { name: 'Picture back' }).click();
  await stepped();
  const before = await at();
  t.ok(before < second);
  // Steps that are asked for at once are done in turn.
  for (const name of ['Next picture', 'Picture back', 'Next picture']) await page.getByRole('button', { name }).click();
  await stepped();
  t.ok(Math.abs((await at()) - second) < 0.02, `${await at()} s is the picture of ${second} s`);
  t.match(await page.getByLabel(/^Address/).inputValue(), `/dashboard/recordings/${body.id}?session=${id}`);
  t.strictSame(dashboard.faults, []);
});

t.test('ended sessions are found by label, platform and state', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  for (const [platform, run] of [
    ['ios', '1204'],
    ['ios', '1205'],
    ['android', '1204'],
  ] as const) {
    const { body } = await server.rest.call<{ id: string }>('POST', '/service/sessions', { platform, labels: { run } });
    await server.rest.call('DELETE', `/service/sessions/${body.id}`);
  }
  const dashboard = await DashboardPage.open(await startBrowser(t), server.url + signIn(server.dataDir));
  const { page } = dashboard;
  await dashboard.fromHome();
  const rows = page.locator('.row.ended');
  const shown = (count: number) =>
    page.waitForFunction((wanted) => document.querySelectorAll('.row.ended').length === wanted, count);
  await shown(3);
  await page.getByRole('searchbox', { name: 'Search' }).fill('run: 1204');
  await shown(2);
  await page.getByRole('combobox', { name: 'Platform' }).selectOption('android');
  await shown(1);
  t.match(await rows.textContent(), 'Virtual Android');
  await page.getByRole('combobox', { name: 'State' }).selectOption('failed');
  await page.getByText('No ended session fits.').waitFor();
  t.strictSame(await dashboard.nameless(), []);
  t.strictSame(dashboard.faults, []);
});
