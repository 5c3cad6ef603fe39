import type { CreatedViewerLink, SessionRecord, Target, UiNode, UiTree } from '@runcloud/protocol';
import { placedNodes } from '@runcloud/protocol/terms';
import { unpack } from 'msgpackr';
import type { Page, WebSocket } from 'playwright-core';
import t from 'tap';
import { seriousFaults } from '../support/axe.ts';
import { startBrowser, ViewerPage, withoutBrowser } from '../support/browser.ts';
import { withLinks } from '../support/dashboard-client.ts';
import { DashboardPage } from '../support/dashboard-page.ts';
import { startServer, type TestServer } from '../support/server.ts';

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const inspect = (page: Page) => page.getByRole('button', { name: 'Inspect' });
const options = (page: Page) => page.getByRole('listbox').getByRole('option');
const selected = (page: Page) => page.getByRole('listbox').getByRole('option', { selected: true });
const PERMISSIONS = { permissions: ['clipboard-read', 'clipboard-write'] };

async function treeOf({ rest }: TestServer, { platform, id }: SessionRecord): Promise<UiTree> {
  return (await rest.call<UiTree>('GET', `/service/${platform}/${id}/ui`)).body;
}

/** The element with a name that is drawn last, as hit by a pointer. */
function named({ nodes }: UiTree, name: string): UiNode {
  const found = placedNodes(nodes).filter((node) => node.name === name && node.actions);
  const last = found.at(-1);
  if (!last) throw new Error(`no "${name}" on the screen`);
  return last;
}

async function hover(viewer: ViewerPage, { frame }: UiNode): Promise<void> {
  const { x, y } = await viewer.place(frame.x + frame.width / 2, frame.y + frame.height / 2);
  await viewer.page.mouse.move(x, y);
}

/** How far the frame on the page is from the one that the service tells, in CSS pixels. */
async function offBy(viewer: ViewerPage, { frame }: UiNode): Promise<number> {
  const box = await viewer.page.locator('.inspected').boundingBox();
  const from = await viewer.place(frame.x, frame.y);
  const to = await viewer.place(frame.x + frame.width, frame.y + frame.height);
  if (!box) return Number.POSITIVE_INFINITY;
  const edges = [box.x - from.x, box.y - from.y, box.x + box.width - to.x, box.y + box.height - to.y];
  return Math.max(...edges.map(Math.abs));
}

t.test('a click on an element copies its selector, and taps nothing', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const viewer = await ViewerPage.open(await startBrowser(t), session, PERMISSIONS);
  const { page } = viewer;
  t.equal(await inspect(page).getAttribute('aria-pressed'), 'false', 'it is off');
  await page.keyboard.press('i');
  await options(page).first().waitFor();
  t.equal(await inspect(page).getAttribute('aria-pressed'), 'true');

  const notes = named(await treeOf(server, session), 'Notes');
  await hover(viewer, notes);
  await page.locator('.inspected').waitFor();
  t.ok((await offBy(viewer, notes)) < 2, 'its frame is drawn over it');
  t.match(await page.locator('.inspected-label').textContent(), /^\w+ "Notes".* @\d+$/);
  t.match(await selected(page).textContent(), /"Notes"/, 'and it is marked in the list');
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/ios.png` });

  await page.mouse.down();
  await page.mouse.up();
  await page.getByText('Copied: session.get(').waitFor();
  const sdk = await clipboard(page);
  const { events, foreground } = await server.inspect('ios', session.id);
  t.equal(foreground, 'home');
  t.same(events, [], 'no input reached the device');

  await page.getByLabel('Copy as').selectOption('cli');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText('Copied: runcloud tap').waitFor();
  await page.getByLabel('Copy as').selectOption('json');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText('Copied: {').waitFor();
  const target = JSON.parse(await clipboard(page)) as Target;
  t.match(sdk, Object.values(target)[0] as string, 'all of them say the same');

  const before = await options(page).allTextContents();
  await server.rest.interact(session, { action: 'tapElement', target });
  t.equal((await server.inspect('ios', session.id)).foreground, 'notes', 'it is the element that was pointed at');
  await page.waitForFunction(
    (before) =>
      [...document.querySelectorAll('[role=option]')].some(({ textContent }) => !before.includes(textContent)),
    before,
  );
  t.notSame(await options(page).allTextContents(), before, 'the list follows the screen');
  await page.keyboard.press('Escape');
  t.equal(await page.locator('.inspect').isVisible(), false);
  t.same(viewer.faults, []);
});

t.test('the frame fits in a rotated, a fixed and a narrow page', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('android');
  const viewport = { width: 375, height: 740 };
  const viewer = await ViewerPage.open(await startBrowser(t), session, { viewport, ...PERMISSIONS });
  const { page } = viewer;
  await inspect(page).click();
  const fits = async (what: string): Promise<void> => {
    await options(page).first().waitFor();
    // The phone turns for a moment.
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState === 'finished'));
    const element = named(await treeOf(server, session), 'Settings');
    await hover(viewer, element);
    await page.locator('.inspected-label').getByText('"Settings"').waitFor();
    t.ok((await offBy(viewer, element)) < 2, what);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${what}.png` });
  };
  await fits('narrow');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  t.ok(wide <= viewport.width, 'nothing is wider than the page');

  await page.setViewportSize({ width: 1280, height: 820 });
  await server.rest.interact(session, { action: 'rotate', orientation: 'landscape_left' });
  await page.waitForSelector('main[data-orientation="landscape_left"]');
  await page.waitForFunction(() => {
    const canvas = document.querySelector('canvas');
    return canvas !== null && canvas.width > canvas.height;
  });
  await fits('rotated');
  await page.evaluate(() => {
    location.hash = 'scale=0.9';
  });
  await page.waitForSelector('.place[data-scale="fixed"]');
  await page.locator('.place').evaluate((place) => place.scrollTo(60, 60));
  await fits('fixed');
  t.same(viewer.faults, []);
});

t.test('one who watches inspects by the keyboard alone', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('android');
  const links = `/service/sessions/${session.id}/viewer-links`;
  const { body: link } = await server.rest.call<CreatedViewerLink>('POST', links, { role: 'view' });
  const viewer = await ViewerPage.open(await startBrowser(t), link, { bypassCSP: true, ...PERMISSIONS });
  const { page } = viewer;
  await inspect(page).press('Enter');
  await options(page).first().waitFor();
  t.strictSame(await seriousFaults(page), []);
  const list = page.getByRole('listbox');
  await list.focus();
  await page.keyboard.press('End');
  const last = await selected(page).textContent();
  await page.keyboard.press('ArrowUp');
  const active = await list.getAttribute('aria-activedescendant');
  t.equal(await selected(page).getAttribute('id'), active);
  t.not(await selected(page).textContent(), last);
  t.equal(await page.locator('.inspected').isVisible(), true, 'it is framed on the screen');
  await page.keyboard.press('Enter');
  await page.getByText('Copied: ').waitFor();
  t.match(await clipboard(page), /^session\./);
  await page.keyboard.press('Escape');
  t.equal(await page.locator('.inspector').isVisible(), false);
  t.equal(await inspect(page).getAttribute('aria-pressed'), 'false');
  t.ok(await page.evaluate(() => document.activeElement?.closest('.tools') !== null), 'the focus is not lost');
  t.same(viewer.faults, []);
});

t.test(
  'the tree is read one at a time while the screen moves, and not while nobody sees it',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const session = await server.rest.createSession('ios');
    const viewer = await ViewerPage.blank(await startBrowser(t));
    const { page } = viewer;
    const open = new Set<string>();
    let reads = 0;
    let most = 0;
    page.on('websocket', (socket: WebSocket) => {
      socket.on('framesent', ({ payload }) => {
        const { type, requestId } = unpack(payload as Buffer) as { type: string; requestId: string };
        if (type !== 'ui') return;
        reads++;
        open.add(requestId);
        most = Math.max(most, open.size);
      });
      socket.on('framereceived', ({ payload }) => {
        if ((payload as Buffer)[0] === 1) return;
        const { type, requestId } = unpack(payload as Buffer) as { type: string; requestId: string };
        if (type === 'result') open.delete(requestId);
      });
    });
    await page.goto(session.url);
    await viewer.shown();
    t.equal(reads, 0);
    /** Changes of the screen, each of which is many pictures. */
    const move = async (): Promise<void> => {
      for (let times = 0; times < 3; times++) {
        await server.rest.interact(session, { action: 'tapElement', target: { text: 'Notes', role: 'button' } });
        await server.rest.interact(session, { action: 'pressButton', button: 'home' });
      }
    };
    await inspect(page).click();
    await options(page).first().waitFor();
    const startedAtMs = performance.now();
    const first = reads;
    while (reads < first + 3) await move();
    const passedMs = performance.now() - startedAtMs;
    t.ok(reads - first <= passedMs / 300 + 1, 'three times a second at most');
    t.equal(most, 1);
    await inspect(page).click();
    await page.waitForTimeout(500);
    const then = reads;
    await move();
    t.equal(reads, then, 'none while it is off');
    t.same(viewer.faults, []);
  },
);

t.test("the dashboard's page of a session inspects its live picture", { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const address = server.url + withLinks(server.dataDir, (links) => links.signIn('local').path);
  const { page, faults } = await DashboardPage.open(await startBrowser(t), address, {
    bypassCSP: true,
    ...PERMISSIONS,
  });
  // Signed in only when the first page is there.
  await page.locator('.starts').waitFor();
  await page.goto(`${server.url}/dashboard/sessions/${session.id}`);
  await page.locator('.screen.live canvas:not([hidden])').waitFor();
  await inspect(page).click();
  await options(page).first().waitFor();
  t.strictSame(await seriousFaults(page), []);
  const { frame } = named(await treeOf(server, session), 'Notes');
  const { x, y, width, height } = (await page.locator('.screen.live canvas').boundingBox()) ?? new DOMRect();
  await page.mouse.click(x + width * (frame.x + frame.width / 2), y + height * (frame.y + frame.height / 2));
  await page.getByText('Copied: session.get(').waitFor();
  t.match(await clipboard(page), /^session\.get\(.*[Nn]otes/);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/dashboard.png` });
  t.same((await server.inspect('ios', session.id)).events, []);
  await page.getByRole('link', { name: 'Sessions', exact: true }).click();
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  t.strictSame(faults, []);
});
