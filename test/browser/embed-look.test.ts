import type { Page } from 'playwright-core';
import t from 'tap';
import type { SimulatorFrameOptions } from '../../client/embed/index.ts';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { bundle, openPage, SCRIPT, startSite } from '../support/embedding-page.ts';
import { startServer } from '../support/server.ts';

const script = bundle(SCRIPT);

/** Puts a viewer on the page, and gives what its `ready` said: the platform, or the code and message of its failure. */
const embed = (page: Page, src: string, options: SimulatorFrameOptions = {}, data: Record<string, string> = {}) =>
  page.evaluate(
    async ({ src, options, data }) => {
      const iframe = document.createElement('iframe');
      Object.assign(iframe.dataset, data);
      Object.assign(iframe, { src, width: '450', height: '700' });
      document.body.replaceChildren(iframe);
      const simulator = window.embed.createSimulatorFrame(iframe, options);
      window.simulators = [simulator];
      return simulator.ready.then(
        ({ platform }) => platform as string,
        ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
      );
    },
    { src, options, data },
  );

t.test('an embedding page chooses how the viewer looks', { skip: withoutBrowser }, async (t) => {
  const origin = await startSite(t, await script);
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios', { embedOrigins: [origin] });
  const page = await openPage(await startBrowser(t), origin);
  const viewer = page.frameLocator('iframe');
  const ground = () => viewer.locator('body').evaluate((body) => getComputedStyle(body).color);

  t.equal(await embed(page, session.url, { toolbar: false, frame: false, theme: 'dark', scale: 0.5 }), 'ios');
  await viewer.locator('main[data-shown]').waitFor();
  t.equal(await viewer.locator('.tools').isVisible(), false);
  t.equal(await viewer.locator('.top').isVisible(), false);
  const { width } = (await viewer.locator('.screen').boundingBox()) ?? { width: 0 };
  t.equal(width, 295, 'half a CSS pixel for each pixel of the display');
  const dark = await ground();

  /** Loads of the viewer: each names itself. */
  const loads = () =>
    page.evaluate(() => new Set(window.heard.map(({ data }) => (data as { frameId?: string }).frameId)).size);
  const before = await loads();
  await page.evaluate(() => window.simulators[0]?.dress({ toolbar: true, frame: true, theme: 'light', scale: 'fit' }));
  await viewer.locator('.tools').waitFor();
  await viewer.locator('.top').waitFor();
  t.not(await ground(), dark);
  await page.evaluate(() => window.simulators[0]?.tap(0.5, 0.5));
  t.equal(await loads(), before, 'and the viewer is not loaded again for it');

  t.equal(await embed(page, session.url, {}, { toolbar: 'off', theme: 'dark' }), 'ios');
  await viewer.locator('main[data-shown]').waitFor();
  t.equal(await viewer.locator('.tools').isVisible(), false, 'attributes say the same');
  t.equal(await viewer.locator('.top').isVisible(), true);
  t.equal(await ground(), dark);
});

t.test('an embedding page is told which element the user chose', { skip: withoutBrowser }, async (t) => {
  const origin = await startSite(t, await script);
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios', { embedOrigins: [origin] });
  const page = await openPage(await startBrowser(t), origin);
  t.equal(await embed(page, session.url, { toolbar: false }), 'ios');
  const viewer = page.frameLocator('iframe');
  const chosen = () =>
    page.evaluate(() => {
      const simulator = window.simulators[0];
      return new Promise<unknown>((resolve) => {
        simulator?.on('event', (event) => event.event === 'inspected' && resolve(event));
      });
    });
  await page.evaluate(() => window.simulators[0]?.inspect(true));
  const pane = viewer.locator('.inspect');
  await pane.waitFor();
  t.equal(await viewer.locator('.inspector').isVisible(), false, 'without tools there is no list');
  const { width, height } = (await pane.boundingBox()) ?? { width: 0, height: 0 };
  const position = { x: 0.39 * width, y: 0.92 * height };
  // Until the screen has been read, nothing is there to choose.
  await pane.hover({ position });
  await viewer.locator('.inspected').waitFor();
  const told = chosen();
  await pane.click({ position });
  t.match(await told, { event: 'inspected', target: { id: 'home.notes' }, node: { name: 'Notes' }, frame: Number });
  t.same((await server.inspect('ios', session.id)).events, [], 'nothing was tapped');

  await page.evaluate(() => {
    const iframe = document.querySelector('iframe');
    const { src = '' } = iframe ?? {};
    iframe?.setAttribute('src', src.replace(/#.*/, '?again#toolbar=off').replace(/\?([^?]*)\?again/, '?$1&again=1'));
  });
  await pane.waitFor();
  t.pass('it is on again after the frame was loaded again');
  await page.evaluate(() => window.simulators[0]?.inspect(false));
  await pane.waitFor({ state: 'hidden' });
});

t.test('a viewer that does not come says why', { skip: withoutBrowser }, async (t) => {
  const origin = await startSite(t, await script);
  const server = await startServer();
  t.teardown(() => server.close());
  const forbidden = await server.rest.createSession('android');
  const session = await server.rest.createSession('ios', { embedOrigins: [origin] });
  const page = await openPage(await startBrowser(t), origin);
  const refused = await embed(page, forbidden.url, { readyTimeoutMs: 3_000 });
  t.match(refused, /^no_answer: The viewer did not answer within 3 s\./);
  t.match(refused, `This page's origin, ${origin}, must be one of the session's embedOrigins`);

  // The page comes, which may take a busy machine its time, but its socket does not.
  await page.routeWebSocket(/\/control\?/, () => undefined);
  const unconnected = await embed(page, session.url, { readyTimeoutMs: 15_000 });
  t.match(unconnected, /^not_connected: The viewer did not connect within 15 s\. It is connecting/);

  await page.unrouteAll();
  const disposed = await page.evaluate(() => {
    const iframe = document.querySelector('iframe') as HTMLIFrameElement;
    const simulator = window.embed.createSimulatorFrame(iframe, { url: 'http://127.0.0.1:1/' });
    simulator.dispose();
    return simulator.ready.catch(({ code }: { code: string }) => code);
  });
  t.equal(disposed, 'disposed');
});

t.test('a viewer whose session has ended says so at once', { skip: withoutBrowser }, async (t) => {
  const origin = await startSite(t, await script);
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios', { embedOrigins: [origin] });
  const page = await openPage(await startBrowser(t), origin);
  await page.routeWebSocket(/\/control\?/, (socket) => {
    setTimeout(() => void socket.close({ code: 4401 }), 300);
  });
  const began = Date.now();
  const gone = await embed(page, session.url, { readyTimeoutMs: 60_000 });
  t.match(gone, /^disconnected: .*no longer valid/);
  t.ok(Date.now() - began < 60_000, 'without waiting for the time');
});
