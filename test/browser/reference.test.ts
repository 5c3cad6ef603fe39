import t from 'tap';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { startServer, TEST_KEY } from '../support/server.ts';

t.test(
  'the reference shows every chapter, tries operations, and asks no other host',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const browser = await startBrowser(t);
    for (const [width, height] of [
      [1_440, 900],
      [390, 844],
    ] as const) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const context = await browser.newContext({ viewport: { width, height }, colorScheme });
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on('console', (message) => complaints.push(message.text()));
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on('request', (request) => {
          if (!request.url().startsWith(`${server.url}/`) && !request.url().startsWith('data:'))
            complaints.push(request.url());
        });
        await page.goto(`${server.url}/docs`);
        await page.getByText('Read a small JPEG of a session').waitFor();
        const chapters = await page.locator('.opblock-tag').allTextContents();
        for (const name of ['Sessions', 'Control', 'Recordings', 'Apps', 'Account']) {
          t.ok(
            chapters.some((chapter) => chapter.startsWith(name)),
            name,
          );
        }
        t.equal(await page.locator('html.dark-mode').count(), colorScheme === 'dark' ? 1 : 0);
        t.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, 'nothing is cut off');
        t.strictSame(complaints, [], `${width} ${colorScheme}`);
        await context.close();
      }
    }

    const page = await browser.newPage();
    // Not the public name: the page talks to where it came from.
    await page.goto(`${server.url.replace('127.0.0.1', 'localhost')}/docs`);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByRole('textbox').first().fill(TEST_KEY);
    await page.locator('.auth-btn-wrapper').locator('button.authorize').click();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    const operation = page.locator('#operations-Sessions-createSession');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table').getByText('"status": "active"').waitFor();
    const { body } = await server.rest.call<{ readonly sessions: readonly unknown[] }>('GET', '/service/sessions');
    t.equal(body.sessions.length, 1, 'the example of the body made a session');
  },
);
