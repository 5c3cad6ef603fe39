import t from 'tap';
import { seriousFaults } from '../support/axe.ts';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { withLinks } from '../support/dashboard-client.ts';
import { DashboardPage } from '../support/dashboard-page.ts';
import { startServer } from '../support/server.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  t.test(`axe-core finds nothing serious on any page, ${colorScheme}`, { skip: withoutBrowser }, async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const live = await server.rest.createSession('ios');
    const ended = await server.rest.createSession('android');
    await server.rest.call('DELETE', `/service/sessions/${ended.id}`);
    const recordings = `/service/ios/${live.id}/recordings`;
    const { body } = await server.rest.call<{ id: string }>('POST', recordings, {});
    await server.rest.call('POST', `/service/ios/${live.id}/interactions`, { action: 'tap', x: 0.39, y: 0.92 });
    await server.rest.call('POST', `${recordings}/${body.id}/stop`);

    // The page's own policy keeps axe-core out as any other foreign script.
    const options = { colorScheme, bypassCSP: true };
    const { page } = await DashboardPage.open(await startBrowser(t), `${server.url}/dashboard`, options);
    await page.getByRole('textbox').first().waitFor();
    t.strictSame(await seriousFaults(page), [], 'sign-in');
    await page.goto(server.url + withLinks(server.dataDir, (links) => links.signIn('local').path));
    await page.locator('.starts').waitFor();
    t.strictSame(await seriousFaults(page), [], 'home');
    for (const [path, ready] of [
      ['', '.session img:not([hidden])'],
      [`/sessions/${live.id}`, 'canvas:not([hidden])'],
      [`/sessions/${ended.id}`, '.history li'],
      ['/sessions/ses_none', '.empty'],
      ['/wall', 'canvas:not([hidden])'],
      ['/recordings', '.recording'],
      [`/recordings/${body.id}?session=${live.id}`, '.player video'],
      ['/apps', '.empty'],
      ['/nope', '.empty'],
    ] as const) {
      await page.goto(`${server.url}/dashboard${path}`);
      await page.locator(ready).first().waitFor();
      t.strictSame(await seriousFaults(page), [], path);
    }
    await page.goto(`${server.url}/dashboard`);
    await page.locator('.session').waitFor();
    await page.context().setOffline(true);
    await page.locator('main.old').waitFor();
    t.strictSame(await seriousFaults(page), [], 'without the service');
  });
}
