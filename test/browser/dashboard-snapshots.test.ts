import t from 'tap';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { withLinks } from '../support/dashboard-client.ts';
import { DashboardPage } from '../support/dashboard-page.ts';
import { startServer } from '../support/server.ts';

t.test(
  'a phone is kept on the page of its session, and a new one starts from it',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const { rest } = server;
    const session = await rest.createSession('android');
    await rest.interact(session, { action: 'launchApp', app: 'notes' });
    await rest.interact(session, { action: 'typeText', text: 'Kept by hand' });
    const link = withLinks(server.dataDir, (links) => links.signIn('local').path);
    const dashboard = await DashboardPage.open(await startBrowser(t), server.url + link);
    const { page } = dashboard;
    await dashboard.fromHome();
    await page.locator('.session h2 a').click();
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Snapshot' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('two words');
    await page.keyboard.press('Enter');
    t.match(await dialog.getByRole('alert').textContent(), /"name" must be/, 'a name that is none is named');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('by-hand');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    t.match(await rest.call('GET', '/service/snapshots/by-hand'), { status: 200, body: { sessionId: session.id } });

    await page.getByRole('link', { name: 'Sessions', exact: true }).click();
    await page.getByRole('button', { name: 'New session' }).first().click();
    const start = dialog.getByRole('combobox', { name: 'Start from' });
    t.same(await start.locator('option').allTextContents(), ['A new phone'], 'not on the other platform');
    await dialog.getByRole('radio', { name: 'Android' }).check();
    await start.selectOption('by-hand');
    await dialog.getByRole('button', { name: 'Create session' }).click();
    await page.locator('.session').nth(1).waitFor();
    const ids = await page
      .locator('.session')
      .evaluateAll((cards: HTMLElement[]) => cards.map((card) => card.dataset.session));
    const other = ids.find((id) => id !== session.id) ?? '';
    t.match((await server.inspect('android', other)).app, { text: 'Kept by hand' });
    t.same(await dashboard.nameless(), []);
    t.same(dashboard.faults, []);
  },
);
