import t, { type Test } from 'tap';
import { difference, startBrowser, ViewerPage, withoutBrowser } from '../support/browser.ts';
import { FlakyProxy } from '../support/flaky-proxy.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = await startServer();
t.teardown(() => server.close());

const LIVE = 'main[data-state="connected"]:not([data-liveness="lost"])';
const KEY_PAUSE_MS = 30;

/** A viewer page behind a network that can break. */
async function openBehindProxy(t: Test) {
  const proxy = await FlakyProxy.start(t, server.url);
  const session = await server.rest.createSession('ios', { embedOrigins: [proxy.url] });
  const viewer = await ViewerPage.open(await startBrowser(t), { url: session.url.replace(server.url, proxy.url) });
  const { page } = viewer;
  /** How many sockets were opened after the first one, and what was sent on them. */
  const later = { sockets: 0, starts: 0 };
  page.on('websocket', (socket) => {
    later.sockets++;
    socket.on('framesent', ({ payload }) => {
      if (payload.includes('screen.start')) later.starts++;
    });
  });
  const keys = async () => {
    const { events } = await server.inspect('ios', session.id);
    const pressed = events.map(({ detail }) => detail as { key?: string; phase?: string } | undefined);
    return pressed.flatMap((one) => (one?.phase === 'down' && one.key ? [one.key] : [])).join('');
  };
  const type = async (text: string) => {
    await page.locator('.keys').focus();
    await page.keyboard.type(text, { delay: KEY_PAUSE_MS });
  };
  /** What the page kept of it, since it was not sent. */
  const kept = async () => {
    const show = page.getByRole('button', { name: 'Show the text' });
    if ((await show.count()) === 0) return '';
    await show.last().click();
    const text = await page.getByRole('textbox', { name: 'Text to insert on the device' }).inputValue();
    await page.keyboard.press('Escape');
    return text;
  };
  return { proxy, session, viewer, later, keys, type, kept };
}

/** The page shows a live picture again, without having asked for it, and no word of the loss is left. */
async function isLiveAgain(t: Test, { viewer, later }: Awaited<ReturnType<typeof openBehindProxy>>) {
  const { page } = viewer;
  await page.waitForSelector(LIVE);
  t.equal(await page.locator('.card:visible, .last-live:visible').count(), 0, 'no notice is left');
  const before = await viewer.until(() => true, 'a still picture');
  await page.getByRole('button', { name: 'Rotate right' }).click();
  const turned = await viewer.changed(before);
  t.ok(difference(turned, before) > 2);
  t.ok(later.sockets > 0);
  t.equal(later.starts, 0, 'the stream goes on without a new start');
  t.same(
    viewer.faults.filter((fault) => !/WebSocket|ERR_/.test(fault)),
    [],
  );
}

t.test(
  'a page whose socket is cut goes on at once; no key is lost or comes twice',
  { skip: withoutBrowser },
  async (t) => {
    const opened = await openBehindProxy(t);
    const { proxy, viewer, keys, type, kept } = opened;
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const typing = type(letters);
    for (const share of [5, 12, 19]) {
      await until(async () => (await keys()).length >= share, `${share} keys`);
      proxy.cut();
    }
    await typing;
    await viewer.page.waitForSelector(LIVE);
    let all = '';
    let unsent = '';
    await until(async () => {
      unsent += await kept();
      all = [...(await keys()), ...unsent].sort().join('');
      return all.length >= letters.length;
    }, 'all keys');
    t.equal(all, letters, 'each key was pressed once, or kept for the person');
    const pressed = await keys();
    t.comment(`pressed: ${pressed}`);
    t.equal([...pressed].sort().join(''), pressed, 'in their order');
    await isLiveAgain(t, opened);
  },
);

t.test(
  'a page behind a dead network shows how old its picture is, sends nothing late, and goes on',
  { skip: withoutBrowser },
  async (t) => {
    const opened = await openBehindProxy(t);
    const { proxy, viewer, keys, type, kept } = opened;
    const { page } = viewer;
    await type('ab');
    await until(async () => (await keys()) === 'ab', 'the first keys');
    const before = await viewer.thumbnail();
    proxy.held = true;
    await page.waitForSelector('main[data-liveness="lost"]');
    const ago = page.locator('.last-live');
    await ago.waitFor();
    const first = Number(/^Live (\d+) s ago$/.exec((await ago.textContent()) ?? '')?.[1]);
    t.ok(first >= 1);
    await type('xy');
    // The socket is given up, and another one tried.
    await page.waitForSelector('main:not([data-state="connected"])');
    await until(async () => ((await ago.textContent()) ?? '') > `Live ${first + 1} s ago`, 'the time to go on');
    t.equal(difference(await viewer.thumbnail(), before) < 0.5, true, 'the picture stays');
    await type('z');
    await page.waitForTimeout(700);
    proxy.held = false;
    await isLiveAgain(t, opened);
    await type('c');
    await until(async () => (await keys()).endsWith('c'), 'the key after it');
    t.equal(await keys(), 'abc', 'nothing of that time has arrived');
    t.equal(await kept(), 'xyz');
  },
);

t.test('a page that cannot go on says why', { skip: withoutBrowser }, async (t) => {
  const { proxy, viewer, session } = await openBehindProxy(t);
  const { page } = viewer;
  proxy.blocked = true;
  proxy.cut();
  await page.getByText('Connection lost').waitFor();
  await page.locator('.last-live').waitFor();
  await server.rest.releaseSession(session.id);
  proxy.blocked = false;
  // The service says it on a page of its own.
  await page.getByText('It was ended, and its device was released.').waitFor();
  t.equal(await page.locator('.last-live').count(), 0);
});
