import type { WebSocketRoute } from 'playwright-core';
import t from 'tap';
import { ClientMessageReader } from '../../server/wire/client-message-reader.ts';
import { difference, startBrowser, ViewerPage, withoutBrowser } from '../support/browser.ts';
import { startServer } from '../support/server.ts';

t.test('a page connects again, and asks again for what was open', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const viewer = await ViewerPage.blank(await startBrowser(t));
  const reader = new ClientMessageReader();
  const sockets: WebSocketRoute[] = [];
  const screenshots: string[] = [];
  let breakAtScreenshot = true;
  await viewer.page.routeWebSocket(/\/control\?/, (page) => {
    sockets.push(page);
    const upstream = page.connectToServer();
    page.onMessage((data) => {
      const read = typeof data === 'string' ? undefined : reader.read(data);
      if (read?.kind === 'valid' && read.message.type === 'screenshot') {
        screenshots.push(read.message.requestId);
        if (breakAtScreenshot) {
          // The request is lost together with its connection.
          breakAtScreenshot = false;
          void page.close({ code: 1011 });
          void upstream.close();
          return;
        }
      }
      upstream.send(data);
    });
  });
  await viewer.page.goto(session.url);
  await viewer.shown();
  const home = await viewer.until(() => true, 'the home screen');
  const download = viewer.page.waitForEvent('download');
  await viewer.page.getByRole('button', { name: 'Screenshot', exact: true }).click();
  await download;
  t.equal(screenshots.length, 2, 'the screenshot was asked for twice');
  t.equal(screenshots[0], screenshots[1], 'under one request id');
  await viewer.page.getByRole('button', { name: 'Rotate right' }).click();
  await viewer.page.waitForSelector('main[data-orientation="landscape_right"]');
  const turned = await viewer.changed(home);
  t.ok(difference(turned, home) > 2, 'and the picture is live again');

  const before = sockets.length;
  await sockets.at(-1)?.close({ code: 1001 });
  while (sockets.length === before) await viewer.page.waitForTimeout(20);
  await viewer.shown();
  await viewer.page.getByRole('button', { name: 'Rotate left' }).click();
  await viewer.page.waitForSelector('main[data-orientation="portrait"]');

  await sockets.at(-1)?.close({ code: 4404 });
  await viewer.page.waitForSelector('main[data-state="ended"]');
  t.match(await viewer.page.locator('.card').textContent(), /Session ended/);
  const count = sockets.length;
  await viewer.page.waitForTimeout(1_000);
  t.equal(sockets.length, count, 'an ended session is not tried again');
});
