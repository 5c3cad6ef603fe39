import type { CreatedViewerLink } from '@runcloud/protocol';
import t from 'tap';
import { startBrowser, ViewerPage, withoutBrowser } from '../support/browser.ts';
import { startServer } from '../support/server.ts';

t.test('a viewer watches without controls, until its link is revoked', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const links = `/service/sessions/${session.id}/viewer-links`;
  const { body: link } = await server.rest.call<CreatedViewerLink>('POST', links, { role: 'view' });
  const viewer = await ViewerPage.open(await startBrowser(t), link);
  const { page } = viewer;
  t.equal(await viewer.data('role'), 'view');
  const names = await page
    .locator('.tools button')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  t.ok(names.includes('Screenshot'));
  t.notOk(names.includes('Home'), 'no control of the device is offered');
  await viewer.click(0.164, 0.922);
  await page.keyboard.press('a');
  const { events, foreground } = await server.inspect('ios', session.id);
  t.equal(foreground, 'home');
  t.same(events, [], 'no input reached the device');

  await server.rest.call('DELETE', `${links}/${link.id}`);
  await page.waitForSelector('main[data-state="ended"]');
  t.match(await page.locator('.card').textContent(), /no longer valid/);
  t.same(viewer.faults, []);
});

t.test('every control has a name, and the keyboard reaches it', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('android');
  const viewer = await ViewerPage.open(await startBrowser(t), session, { viewport: { width: 375, height: 720 } });
  const { page } = viewer;
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  t.ok(wide <= 375, 'nothing is wider than a phone');
  const buttons = page.locator('.tools button');
  for (let index = 0; index < (await buttons.count()); index += 1) {
    const button = buttons.nth(index);
    t.ok(await button.getAttribute('aria-label'));
    const box = await button.boundingBox();
    t.ok(box && box.x >= 0 && box.x + box.width <= 375 && box.y + box.height <= 720, 'it is on the page');
  }
  await page.locator('.keys').focus();
  await page.keyboard.press('Shift+Escape');
  const reached: (string | null)[] = [];
  for (let index = 0; index < (await buttons.count()); index += 1) {
    reached.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null));
    await page.keyboard.press('Tab');
  }
  t.equal(new Set(reached).size, await buttons.count(), 'Tab goes through all of them');
  t.ok(reached.includes('Back') && reached.includes('Menu') && !reached.includes('Side button'), 'those of Android');

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Screenshot', exact: true }).click();
  t.match((await download).suggestedFilename(), /^android-.*\.png$/);
  t.same(viewer.faults, []);
});

t.test('in a low window the words of dialogs and notices are seen', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const viewport = { width: 844, height: 390 };
  const browser = await startBrowser(t);
  const early = await ViewerPage.blank(browser, { viewport });
  await early.page.routeWebSocket(/.*/, () => undefined);
  await early.page.goto(session.url);
  const connecting = await early.page.locator('.card:visible').boundingBox();
  t.ok(connecting && Math.abs(connecting.x + connecting.width / 2 - viewport.width / 2) < 2, 'in the middle');

  const { page } = await ViewerPage.open(browser, session, { viewport });
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  const heading = await page.getByRole('heading', { name: 'Shortcuts' }).boundingBox();
  t.ok(heading && heading.y > 0, 'a dialog begins with its heading');
  await page.keyboard.press('Escape');
  await page.context().setOffline(true);
  const card = page.locator('.card:visible');
  await card.waitFor();
  const above = await card.evaluate((shown) => {
    const { right, top, height } = shown.getBoundingClientRect();
    return shown.contains(document.elementFromPoint(right - 12, top + height / 2));
  });
  t.equal(above, true, 'no tool lies over a notice');
});
