import t from 'tap';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { withLinks } from '../support/dashboard-client.ts';
import { DashboardPage } from '../support/dashboard-page.ts';
import { startServer } from '../support/server.ts';

const signIn = (dataDir: string) => withLinks(dataDir, (links) => links.signIn('local').path);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

t.test("a session's page shows inputs as they happen, and after its end", { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const interact = (body: object) => server.rest.call('POST', `/service/ios/${session.id}/interactions`, body);
  await interact({ action: 'tap', x: 0.39, y: 0.92 });
  const dashboard = await DashboardPage.open(await startBrowser(t), server.url + signIn(server.dataDir));
  const { page } = dashboard;
  await dashboard.heading('Start a phone');
  await page.goto(`${server.url}/dashboard/sessions/${session.id}`);
  const inputs = page.getByRole('list', { name: 'Inputs' });
  await inputs.locator('li', { hasText: 'Tap at 39 %, 92 %' }).filter({ hasText: 'completed' }).waitFor();
  t.match(await inputs.locator('li').first().textContent(), /API key.*ms/);

  await interact({ action: 'typeText', text: 'a secret' });
  await inputs.locator('li', { hasText: 'Type 8 characters' }).waitFor();
  t.notMatch(await inputs.textContent(), 'secret');

  const held = {
    requestId: 'held',
    action: 'gesture',
    steps: [
      { phase: 'begin', points: [{ x: 0.5, y: 0.5 }], delayMs: 5_000 },
      { phase: 'move', points: [{ x: 0.5, y: 0.5 }], delayMs: 5_000 },
      { phase: 'end', points: [{ x: 0.5, y: 0.5 }] },
    ],
  };
  const ended = interact(held);
  const row = inputs.locator('li', { hasText: 'Gesture of 1 finger' });
  await row.filter({ hasText: 'pending' }).waitFor();
  await server.rest.call('DELETE', `/service/ios/${session.id}/interactions/held`);
  await ended;
  await row.filter({ hasText: 'cancelled' }).waitFor();
  t.match(await inputs.locator('li').first().textContent(), 'Gesture', 'the newest first');

  await server.rest.call('DELETE', `/service/sessions/${session.id}`);
  await page.locator('dd', { hasText: 'Released' }).waitFor();
  await row.filter({ hasText: 'cancelled' }).waitFor();
  t.equal(await inputs.locator('li').count(), 3);
  t.strictSame(await dashboard.nameless(), []);
  t.strictSame(dashboard.faults, []);
});

t.test(
  'a recording is played with its touches drawn, marks on its time line, and a list that leads to each input',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const { id } = await server.rest.createSession('ios');
    const interact = (body: object) => server.rest.call('POST', `/service/ios/${id}/interactions`, body);
    const recordings = `/service/ios/${id}/recordings`;
    await interact({ action: 'tap', x: 0.39, y: 0.92 });
    const { body } = await server.rest.call<{ id: string }>('POST', recordings, {});
    await pause(300);
    await interact({ action: 'tap', x: 0.2, y: 0.74 });
    await pause(700);
    await interact({ action: 'swipe', from: { x: 0.2, y: 0.5 }, to: { x: 0.8, y: 0.5 }, durationMs: 600 });
    await pause(700);
    await server.rest.call('POST', `${recordings}/${body.id}/stop`);
    await interact({ action: 'tap', x: 0.9, y: 0.9 });

    const dashboard = await DashboardPage.open(await startBrowser(t), server.url + signIn(server.dataDir));
    const { page } = dashboard;
    await dashboard.heading('Start a phone');
    await page.goto(`${server.url}/dashboard/recordings/${body.id}?session=${id}`);
    const rows = page.getByRole('list', { name: 'Inputs' }).locator('li');
    await rows.nth(1).waitFor();
    t.equal(await rows.count(), 2, 'what came before and after is no part of it');
    await page.waitForFunction(() => document.querySelectorAll('.marks .input').length === 2);
    t.match(
      await page.getByRole('timer').textContent(),
      /^0\.00 s of \d+\.\d\d s$/,
      'the length is told before it plays',
    );
    const titles = await page
      .locator('.marks .input')
      .evaluateAll((marks) => marks.map((mark) => mark.getAttribute('title')));
    t.match(titles, [
      /^Tap at 20\s%, 74\s%, \d+ ms, completed$/,
      /^Swipe from 20\s%, 50\s% to 80\s%, 50\s% in 600 ms, .* completed$/,
    ]);

    /** The finger at a moment of the video, as fractions of the picture. */
    const touchAt = async (seconds: number) => {
      await page.locator('video').evaluate(
        (video: HTMLVideoElement, to) =>
          new Promise((resolve) => {
            video.addEventListener('seeked', resolve, { once: true });
            video.currentTime = to;
          }),
        seconds,
      );
      return page.evaluate(() => {
        const dot = document.querySelector('.touches i:not([hidden])')?.getBoundingClientRect();
        const video = document.querySelector('video')?.getBoundingClientRect();
        if (!dot || !video) return undefined;
        const x = (dot.x + dot.width / 2 - video.x) / video.width;
        return { x, y: (dot.y + dot.height / 2 - video.y) / video.height };
      });
    };
    const near = (touch: { x: number; y: number } | undefined, x: number, y: number) =>
      touch !== undefined && Math.hypot(touch.x - x, touch.y - y) < 0.03;
    await rows.first().getByRole('button').click();
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0);
    const tapAt = await page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);
    t.ok(near(await touchAt(tapAt + 0.02), 0.2, 0.74), 'the tap is drawn at its place');
    t.equal(await touchAt(Math.max(0, tapAt - 0.1)), undefined, 'and not before it');
    await rows.nth(1).getByRole('button').click();
    await page.waitForFunction((was) => (document.querySelector('video')?.currentTime ?? 0) > was + 0.3, tapAt);
    t.equal(await rows.nth(1).getAttribute('aria-current'), 'true');
    const swipeAt = await page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);
    const halfway = await touchAt(swipeAt + 0.3);
    t.ok(near(halfway, 0.5, 0.5), `the finger is on its way: ${JSON.stringify(halfway)}`);
    await page.getByRole('button', { name: 'Hide touches' }).click();
    t.equal(await page.locator('.touches').isVisible(), false);
    t.strictSame(await dashboard.nameless(), []);
    t.strictSame(dashboard.faults, []);
  },
);
