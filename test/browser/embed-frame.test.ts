import type { CreatedViewerLink, SessionRecord } from '@runcloud/protocol';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import t from 'tap';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { bundle, openPage, SCRIPT, startSite } from '../support/embedding-page.ts';
import { startServer } from '../support/server.ts';

/** Pages of other origins around the viewer: those that the session allows, and those that it does not. */

const TOUCH_LAB = { x: 0.164, y: 0.922 };
const REACT_SCRIPT = `${SCRIPT}
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { SimulatorFrame } from './client/embed/react.tsx';
const root = createRoot(document.getElementById('root'));
window.unmount = () => root.unmount();
window.handle = null;
root.render(createElement(SimulatorFrame, {
  src: decodeURIComponent(location.hash.slice(1)),
  ref: (handle) => { window.handle ??= handle; },
  onReady: ({ platform }) => { document.body.dataset.ready = platform; },
  onEvent: ({ event }) => { document.body.dataset.event = event; },
}));`;
/** The bridge alone, with a viewer that notes what it is asked; its address names the origins. */
const FRAME_SCRIPT = `import { Bridge } from './client/viewer/bridge.ts';
import { Emitter } from './client/core/emitter.ts';
const now = new Date().toISOString();
const viewer = Object.assign(new Emitter(), {
  state: { kind: 'connected' },
  ready: { role: 'control', session: { platform: 'ios' }, capabilities: {} },
  interact({ requestId }) {
    document.body.dataset.asked = requestId;
    return Promise.resolve({ ok: true, requestId, status: 'completed', acceptedAt: now, completedAt: now, durationMs: 0 });
  },
  cancel() {},
});
const inspector = Object.assign(new Emitter(), { toggle() {} });
Bridge.open({ viewer, inspector, frame: window, origins: decodeURIComponent(location.hash.slice(1)).split(' ') });
document.body.dataset.open = 'true';`;

/** Puts a session's viewer on the page, as `window.simulators[index]`. */
async function embedSession(page: Page, { url }: Pick<SessionRecord, 'url'>): Promise<void> {
  await page.evaluate((url) => {
    const iframe = document.createElement('iframe');
    iframe.src = url;
    iframe.width = '450';
    iframe.height = '700';
    document.body.append(iframe);
    window.simulators.push(window.embed.createSimulatorFrame(iframe));
  }, url);
}

const tapIn = (page: Page, index = 0) =>
  page.evaluate(({ x, y, index }) => window.simulators[index]?.tap(x, y), { ...TOUCH_LAB, index });

const embedScript = bundle(SCRIPT);

async function arena(t: Test) {
  const script = await embedScript;
  const origin = await startSite(t, script);
  const stranger = await startSite(t, script);
  const server = await startServer();
  t.teardown(() => server.close());
  const browser = await startBrowser(t);
  const session = await server.rest.createSession('ios', { embedOrigins: [origin] });
  const inspect = () => server.inspect('ios', session.id);
  return { origin, stranger, server, browser, session, inspect };
}

t.test('a page of an allowed origin controls the session that it embeds', { skip: withoutBrowser }, async (t) => {
  const { origin, server, browser, session, inspect } = await arena(t);
  const page = await openPage(browser, origin);
  await embedSession(page, session);
  const early = tapIn(page);
  const result = await early;
  t.match(result, { action: 'tap', status: 'completed', platform: 'ios', timing: { durationMs: Number } });
  t.ok(
    Date.parse(result?.timing?.completedAt ?? '') >= Date.parse(result?.timing?.acceptedAt ?? ''),
    'timing is valid',
  );
  t.equal((await inspect()).foreground, 'touch-lab', 'the tap reached the device, though it came before the frame');

  const ready = await page.evaluate(() => window.simulators[0]?.ready);
  t.match(ready, { version: 1, platform: 'ios', role: 'control', capabilities: { openUrl: Boolean } });
  const late = await page.evaluate(async (url) => {
    const iframe = document.querySelector('iframe');
    return iframe && (await window.embed.createSimulatorFrame(iframe, { url }).ready).platform;
  }, session.url);
  t.equal(late, 'ios', 'who comes late asks for it');

  const turned = await page.evaluate(async () => {
    const seen = new Promise((resolve) => window.simulators[0]?.on('event', resolve));
    const result = await window.simulators[0]?.setOrientation('landscape_left');
    return { status: result?.status, event: await seen };
  });
  t.same(turned, { status: 'completed', event: { event: 'orientation', orientation: 'landscape_left' } });

  const refused = await page.evaluate(() => window.simulators[0]?.tap(2, 2));
  t.match(refused, { status: 'failed', timing: { durationMs: Number }, error: { code: 'invalid_interaction' } });
  const odd = await page.evaluate(() => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const all = [
      { action: 'tap', x: cycle },
      { action: 'tap', x: 1n },
      { action: 'tap', requestId: 'ä' },
    ];
    const given = [...all, { action: 'tap', x: Symbol() }] as unknown as { action: 'tap'; x: number; y: number }[];
    return Promise.all(given.map((one) => window.simulators[0]?.interact(one)));
  });
  t.ok(
    odd.every((one) => one?.error?.code === 'invalid_interaction'),
    'what is no plain data is answered, too',
  );
  t.equal((await tapIn(page))?.status, 'completed', 'and the connection held');

  const token = new URL(session.url).searchParams.get('token') ?? '';
  const heard = await page.evaluate(() => JSON.stringify(window.heard));
  t.ok(token.length > 10 && !heard.includes(token), 'the token is never told');
  const served = await page.evaluate((address) => import(address), `${server.url}/viewer/embed.js`).catch(String);
  t.match(Object.keys(Object(served)), ['SimulatorActions'], 'the server offers the same script to other origins');

  await server.rest.releaseSession(session.id);
  await page.waitForFunction(() => window.heard.some(({ data }) => JSON.stringify(data).includes('session.ended')));
});

t.test('a page reads and writes the clipboard of the device', { skip: withoutBrowser }, async (t) => {
  const { origin, server, browser, session } = await arena(t);
  const page = await openPage(browser, origin);
  await embedSession(page, session);
  const early = await page.evaluate(async () => {
    const [simulator] = window.simulators;
    const set = simulator?.setClipboard('Grüße 你好 😀');
    return [await set, await simulator?.getClipboard()];
  });
  const held = {
    status: 'completed',
    platform: 'ios',
    timing: { durationMs: Number },
    result: { text: 'Grüße 你好 😀' },
  };
  t.match(early, [
    { ...held, action: 'clipboard.set' },
    { ...held, action: 'clipboard.get' },
  ]);
  await page.waitForFunction(() => window.heard.some(({ data }) => JSON.stringify(data).includes('"clipboard"')));
  const { body } = await server.rest.call<{ text: string }>('GET', `/service/ios/${session.id}/clipboard`);
  t.equal(body.text, 'Grüße 你好 😀', 'the device holds it');

  const refused = await page.evaluate(async () => {
    const [simulator] = window.simulators;
    const given = ['a'.repeat(10_001), '\ud800', 7, Symbol(), {}] as string[];
    const results = await Promise.all(given.map((text) => simulator?.setClipboard(text)));
    const aborted = await simulator?.getClipboard({ signal: AbortSignal.abort('enough') }).catch(String);
    const other = { type: 'service:clipboard', requestId: 'other', action: 'tap', x: 0.5, y: 0.5 };
    window.frames[0]?.postMessage(other, '*');
    return { codes: results.map((result) => result?.error?.code), aborted };
  });
  const [long, ...others] = refused.codes;
  t.equal(long, 'invalid_request');
  t.ok(
    others.every((code) => code === 'invalid_request' || code === 'invalid_interaction'),
    String(others),
  );
  t.equal(refused.aborted, 'enough');
  await page.waitForFunction(() => window.heard.some(({ data }) => JSON.stringify(data).includes('"other"')));
  const answer = await page.evaluate(() => window.heard.find(({ data }) => JSON.stringify(data).includes('"other"')));
  t.match(answer?.data, { status: 'failed', error: { code: 'invalid_interaction', message: /clipboard/ } });
  t.equal((await page.evaluate(() => window.simulators[0]?.getClipboard()))?.result?.text, 'Grüße 你好 😀');
  t.same(
    (await server.inspect('ios', session.id)).events.filter(({ type }) => type === 'begin'),
    [],
    'nothing was tapped',
  );
});

t.test('a page of another origin gets nothing', { skip: withoutBrowser }, async (t) => {
  const { stranger, browser, session, inspect } = await arena(t);
  const page = await openPage(browser, stranger);
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await embedSession(page, session);
  await t.resolves(refused, 'the policy keeps it from showing the viewer');
  await page.waitForTimeout(500);

  t.same(await page.evaluate(() => window.heard), []);
  t.same((await inspect()).events, []);
});

t.test(
  'without the policy, too, a frame answers only origins that it was told',
  { skip: withoutBrowser },
  async (t) => {
    const origin = await startSite(t, await embedScript);
    const frame = await startSite(t, await bundle(FRAME_SCRIPT));
    const browser = await startBrowser(t);
    const heardWith = async (origins: readonly string[]) => {
      const page = await openPage(browser, origin);
      await embedSession(page, { url: `${frame}/#${encodeURIComponent(origins.join(' '))}` });
      await page.frameLocator('iframe').locator('body[data-open]').waitFor({ state: 'attached' });
      await page.evaluate(() => {
        for (const type of ['service:hello', 'service:interaction', 'service:interaction-cancel']) {
          window.frames[0]?.postMessage({ type, requestId: 'r-1', action: 'tap', x: 0, y: 0 }, '*');
        }
      });
      if (origins.includes(origin)) {
        await page.waitForFunction(() => window.heard.some(({ data }) => data.type === 'service:interaction-result'));
      } else {
        await page.waitForTimeout(300);
      }
      const asked = await page.frameLocator('iframe').locator('body').getAttribute('data-asked');
      return { asked, types: await page.evaluate(() => window.heard.map(({ data }) => data.type)) };
    };
    const nearly = [
      `${origin}0`,
      origin.slice(0, -1),
      `${origin}.example`,
      origin.replace('http:', 'https:'),
      '*',
      'null',
    ];
    t.same(await heardWith(nearly), { asked: null, types: [] }, 'an origin that is alike is another one');
    const told = await heardWith([...nearly, origin]);
    t.equal(told.asked, 'r-1');
    t.ok(told.types.includes('service:ready') && told.types.includes('service:interaction-result'));
  },
);

t.test('messages of anybody but the other side are ignored', { skip: withoutBrowser }, async (t) => {
  const { origin, stranger, browser, session, inspect } = await arena(t);
  const page = await openPage(browser, origin);
  await embedSession(page, session);
  await page.evaluate(() => window.simulators[0]?.ready);

  // A sibling of the allowed origin itself, and one of a stranger: neither is the frame's parent, nor the frame.
  for (const address of [`${origin}/sibling`, `${stranger}/sibling`]) {
    const sibling = await page.evaluateHandle(async (address) => {
      const iframe = document.createElement('iframe');
      iframe.src = address;
      document.body.append(iframe);
      await new Promise((resolve) => iframe.addEventListener('load', resolve));
      return iframe;
    }, address);
    const inside = await sibling.contentFrame();
    await page.evaluate(() => {
      const steps = [
        { phase: 'begin' as const, points: [{ x: 0.5, y: 0.1 }], delayMs: 1_500 },
        { phase: 'end' as const, points: [{ x: 0.5, y: 0.1 }] },
      ];
      const request = { action: 'gesture' as const, requestId: `own-${Math.random()}`, steps };
      window.name = request.requestId;
      window.pending = window.simulators[0]?.interact(request) ?? Promise.reject(new Error('no simulator'));
    });
    const requestId = await page.evaluate(() => window.name);
    await inside?.evaluate(
      ({ x, y, requestId }) => {
        const viewer = parent.frames[0];
        viewer?.postMessage({ type: 'service:interaction', requestId: 'forged', action: 'tap', x, y }, '*');
        viewer?.postMessage({ type: 'service:interaction-cancel', requestId }, '*');
        const forged = { requestId, action: 'gesture', status: 'failed', platform: 'android' };
        parent.postMessage({ type: 'service:interaction-result', ...forged }, '*');
        parent.postMessage({ type: 'service:ready', version: 1, frameId: 'forged' }, '*');
      },
      { ...TOUCH_LAB, requestId },
    );
    t.match(await page.evaluate(() => window.pending), { status: 'completed', platform: 'ios' }, address);
  }
  t.equal((await inspect()).foreground, 'home', 'the forged tap had no effect');

  // The right window with the wrong origin: the iframe went elsewhere.
  const lured = await openPage(browser, origin);
  const answers = await lured.evaluate(
    async ({ url, elsewhere }) => {
      const iframe = document.createElement('iframe');
      iframe.src = elsewhere;
      document.body.append(iframe);
      await new Promise((resolve) => iframe.addEventListener('load', resolve));
      const simulator = window.embed.createSimulatorFrame(iframe, { url, graceMs: 0 });
      simulator.on('ready', () => {
        document.body.dataset.fooled = 'true';
      });
      return simulator.tap(0.5, 0.5, { timeoutMs: 1_000 });
    },
    { url: session.url, elsewhere: `${stranger}/elsewhere` },
  );
  await lured.frames()[1]?.evaluate(() => parent.postMessage({ type: 'service:ready', version: 1, frameId: 'f' }, '*'));
  await lured.waitForTimeout(100);
  t.match(answers, { status: 'timed_out', error: { code: 'interaction_timeout', retryable: true } });
  t.notOk('platform' in answers || 'timing' in answers, 'nobody acknowledged it');
  t.equal(await lured.evaluate(() => document.body.dataset.fooled), undefined);
});

t.test('two frames at once, each with its own session', { skip: withoutBrowser }, async (t) => {
  const { origin, server, browser, session, inspect } = await arena(t);
  const android = await server.rest.createSession('android', { embedOrigins: [origin] });
  const page = await openPage(browser, origin);
  await embedSession(page, session);
  await embedSession(page, android);
  const results = await page.evaluate(({ x, y }) => {
    const request = { action: 'tap' as const, requestId: 'the-same-id', x, y };
    return Promise.all(window.simulators.map((simulator) => simulator.interact(request)));
  }, TOUCH_LAB);
  t.match(results, [
    { status: 'completed', platform: 'ios' },
    { status: 'completed', platform: 'android' },
  ]);
  t.equal((await inspect()).foreground, 'touch-lab');
  t.not((await server.inspect('android', android.id)).events.length, 0);

  // The right origin in the wrong window: what one frame says is not taken for the other's.
  await page.evaluate(() => {
    for (const [index, simulator] of window.simulators.entries()) {
      simulator.on('ready', ({ frameId }) => {
        document.body.dataset[`ready${index}`] = frameId;
      });
    }
  });
  const other = page.frames().find((frame) => frame.url() === android.url);
  await other?.evaluate(() => parent.postMessage({ type: 'service:ready', version: 1, frameId: 'forged' }, '*'));
  await page.waitForSelector('body[data-ready1="forged"]');
  t.equal(await page.locator('body').getAttribute('data-ready0'), null);
});

t.test('a call ends when it is cancelled, aborted, or its frame goes away', { skip: withoutBrowser }, async (t) => {
  const { origin, browser, session, inspect } = await arena(t);
  const page = await openPage(browser, origin);
  await embedSession(page, session);
  await page.evaluate(() => window.simulators[0]?.ready);
  const ended = await page.evaluate(async () => {
    const [simulator] = window.simulators;
    if (!simulator) throw new Error('no simulator');
    const points = [{ x: 0.5, y: 0.1 }];
    const phases = ['begin', ...Array<'move'>(8).fill('move'), 'end'] as const;
    const steps = phases.map((phase) => ({ phase, points, delayMs: phase === 'end' ? 0 : 5_000 }));
    const gesture = { action: 'gesture' as const, steps, timeoutMs: 60_000 };
    const start = performance.now();
    const cancelled = simulator.interact({ ...gesture, requestId: 'g-1' });
    const doubled = await simulator.interact({ ...gesture, requestId: 'g-1' });
    await new Promise((resolve) => setTimeout(resolve, 400));
    simulator.cancel('g-1');
    const cancelledResult = await cancelled;
    const stop = new AbortController();
    const aborted = simulator.interact(gesture, { signal: stop.signal }).catch(String);
    await new Promise((resolve) => setTimeout(resolve, 400));
    stop.abort('enough');
    const reason = await aborted;
    const next = await simulator.pressButton('home');
    return { cancelledResult, doubled, reason, next, tookMs: performance.now() - start };
  });
  t.match(ended.cancelledResult, {
    status: 'cancelled',
    timing: { durationMs: Number },
    error: { code: 'interaction_cancelled' },
  });
  t.match(ended.doubled, { status: 'failed', error: { code: 'duplicate_request' } });
  t.equal(ended.reason, 'enough', 'an aborted call rejects with the reason');
  t.equal(ended.next.status, 'completed');
  t.ok(ended.tookMs < 30_000, 'neither gesture went on for its 45 seconds');
  t.same((await inspect()).pointers, [], 'no finger stayed down');

  const reloaded = await page.evaluate(async () => {
    const points = [{ x: 0.5, y: 0.1 }];
    const phases = ['begin', ...Array(8).fill('move'), 'end'] as const;
    const steps = phases.map((phase) => ({ phase, points, delayMs: phase === 'end' ? 0 : 5_000 }));
    const [simulator] = window.simulators;
    const pending = [simulator?.gesture(steps, { timeoutMs: 60_000 }), simulator?.tap(0.5, 0.1, { timeoutMs: 60_000 })];
    await new Promise((resolve) => setTimeout(resolve, 200));
    const iframe = document.querySelector('iframe');
    if (iframe) iframe.src = String(iframe.src);
    const start = performance.now();
    const results = await Promise.all(pending);
    return { results, tookMs: performance.now() - start };
  });
  t.match(reloaded.results[0], {
    status: 'failed',
    error: { code: 'interaction_transport_error', retryable: true },
  });
  t.equal(reloaded.results[1]?.error?.code, 'interaction_transport_error');
  t.ok(reloaded.tookMs < 30_000, 'as soon as the new frame was there');

  const disposed = await page.evaluate(async () => {
    const [simulator] = window.simulators;
    const pending = simulator?.scroll(0, 0.5);
    simulator?.dispose();
    return [await pending, await simulator?.reloadApp()];
  });
  t.match(disposed, [
    { action: 'scroll', status: 'failed', error: { code: 'interaction_transport_error' } },
    { action: 'reload', status: 'failed', error: { code: 'interaction_transport_error' } },
  ]);
});

t.test('the React component has every action on its ref', { skip: withoutBrowser }, async (t) => {
  const origin = await startSite(t, await bundle(REACT_SCRIPT));
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios', { embedOrigins: [origin] });
  const page = await openPage(await startBrowser(t), `${origin}/#${encodeURIComponent(session.url)}`);
  await page.waitForSelector('body[data-ready="ios"]');
  const tapped = await page.evaluate(({ x, y }) => window.handle?.tap(x, y), TOUCH_LAB);
  t.match(tapped, { status: 'completed', platform: 'ios', timing: { durationMs: Number } });
  t.equal((await server.inspect('ios', session.id)).foreground, 'touch-lab');
  t.equal((await page.evaluate(() => window.handle?.setOrientation('landscape_left')))?.status, 'completed');
  await page.waitForSelector('body[data-event="orientation"]');
  t.equal((await page.evaluate(() => window.handle?.reloadApp()))?.status, 'completed');
  t.match(await page.evaluate(() => window.handle?.setClipboard('copied')), { result: { text: 'copied' } });
  t.match(await page.evaluate(() => window.handle?.getClipboard()), {
    action: 'clipboard.get',
    result: { text: 'copied' },
  });
  const gone = await page.evaluate(() => {
    const pending = window.handle?.typeText('a');
    (window as unknown as { unmount(): void }).unmount();
    return Promise.all([pending, window.handle?.getClipboard(), window.handle?.setClipboard('late')]);
  });
  const failed = { status: 'failed', error: { code: 'interaction_transport_error' } };
  t.match(gone, [failed, { ...failed, action: 'clipboard.get' }, { ...failed, action: 'clipboard.set' }]);
});

t.test('a link for one origin embeds as well; a link to watch refuses control', { skip: withoutBrowser }, async (t) => {
  const { stranger, server, browser, session, inspect } = await arena(t);
  const links = `/service/sessions/${session.id}/viewer-links`;
  const request = { role: 'view', embedOrigin: stranger };
  const { body: link } = await server.rest.call<CreatedViewerLink>('POST', links, request);
  const page = await openPage(browser, stranger);
  await embedSession(page, link);
  t.equal((await page.evaluate(() => window.simulators[0]?.ready))?.role, 'view');
  t.match(await tapIn(page), { status: 'failed', timing: { durationMs: Number }, error: { retryable: false } });
  t.match(await page.evaluate(() => window.simulators[0]?.getClipboard()), {
    status: 'failed',
    error: { retryable: false },
  });
  t.same((await inspect()).events, []);
});
