import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AssetRecord, RecordingRecord, SessionRecord } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { RunCloud } from '../../client/sdk/index.ts';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { buildPackage } from '../support/built-package.ts';
import { commandLine } from '../support/command-line.ts';
import { iosPackage } from '../support/ios-package.ts';
import { decodePng } from '../support/picture.ts';
import { startServer, TEST_KEY } from '../support/server.ts';

/**
 * One story, told by every client of the package and by plain HTTP: whichever it is, the answers and what the device then
 * shows are the same.
 */

const server = await startServer();
t.teardown(() => server.close());

type Request = Readonly<Record<string, unknown>> & { readonly action: string };
/** The part of an acknowledgement that all clients must report alike: without times and generated ids. */
interface Outcome {
  readonly status: string;
  readonly code?: string;
  readonly retryable?: boolean;
  readonly result?: unknown;
}

interface Way {
  perform(request: Request): Promise<Outcome>;
  screenshot(): Promise<Uint8Array>;
  openUrl(url: string): Promise<Opened>;
  /** Reads the clipboard, after writing a text if there is one. */
  clipboard(text?: string): Promise<Held>;
  startRecording(idempotencyKey: string): Promise<RecordingRecord>;
  stopRecording(id: string): Promise<RecordingRecord>;
  /** SHA-256 of the file, in hex. */
  download(id: string): Promise<string>;
  upload(app: Buffer): Promise<AssetRecord>;
  deleteAsset(id: string): Promise<void>;
}

/** The part of the answer to opening a URL that all clients must report alike. */
interface Opened {
  readonly url?: string;
  readonly code?: string;
}

type Told = { readonly status?: string; readonly interactionStatus?: string; readonly result?: unknown } & {
  readonly error?: { readonly code: string; readonly retryable: boolean };
};

function outcome({ status = 'failed', result, error }: Told): Outcome {
  return { status, ...(error ? { code: error.code, retryable: error.retryable } : { result }) };
}

const opened = ({ url, error }: Told & { readonly url?: string }): Opened =>
  error ? { code: error.code } : { url: url ?? '' };
/** What the clipboard holds, or why that is not told. */
interface Held {
  readonly text?: string;
  readonly code?: string;
}

const held = ({ text, error }: Held & { readonly error?: { readonly code: string } }): Held =>
  error ? { code: error.code } : { ...(text === undefined ? {} : { text }) };

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const byPackage =
  (connected: boolean) =>
  async (_t: Test, record: SessionRecord): Promise<Way> => {
    const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });
    const session = cloud.session(record);
    if (connected) await session.connect();
    return {
      perform: (request) =>
        session.interact(request as never).then(outcome, (error: { toJSON(): Told }) => outcome(error.toJSON())),
      screenshot: () => session.screenshot(),
      openUrl: (url) => session.openUrl(url).then(opened, (error: { toJSON(): Told }) => opened(error.toJSON())),
      clipboard: (text) =>
        (text === undefined ? session.clipboard.read() : session.clipboard.write(text)).then(
          held,
          (error: { toJSON(): Told }) => held(error.toJSON()),
        ),
      startRecording: (idempotencyKey) => session.recordings.start({ idempotencyKey }) as Promise<RecordingRecord>,
      stopRecording: (id) => session.recordings.stop(id) as Promise<RecordingRecord>,
      download: async (id) => digestOf(await session.recordings.download(id)),
      upload: (app) => cloud.assets.upload(new Uint8Array(app)) as Promise<AssetRecord>,
      deleteAsset: (id) => cloud.assets.delete(id),
    };
  };

async function byFetch(_t: Test, record: SessionRecord): Promise<Way> {
  const { rest } = server;
  const home = `/service/${record.platform}/${record.id}`;
  return {
    perform: async (request) => outcome((await rest.interact(record, request)).body),
    screenshot: () => rest.screenshot(record),
    openUrl: async (url) => opened((await rest.call('POST', `${home}/open-url`, { url })).body as Told),
    clipboard: async (text) => {
      const body = text === undefined ? undefined : { text };
      return held((await rest.call<Held & Told>(body ? 'PUT' : 'GET', `${home}/clipboard`, body)).body);
    },
    startRecording: async (key) => {
      const init = { method: 'POST', headers: { 'Idempotency-Key': key } };
      return (await (await rest.fetch(`${home}/recordings`, init)).json()) as RecordingRecord;
    },
    stopRecording: async (id) => (await rest.call<RecordingRecord>('POST', `${home}/recordings/${id}/stop`)).body,
    download: async (id) => {
      const answer = await rest.fetch(`${home}/recordings/${id}/download`, {});
      return digestOf(new Uint8Array(await answer.arrayBuffer()));
    },
    upload: async (app) => {
      const answer = await rest.fetch('/service/assets', { method: 'POST', body: new Uint8Array(app) });
      return (await answer.json()) as AssetRecord;
    },
    deleteAsset: async (id) => void (await rest.call('DELETE', `/service/assets/${id}`)),
  };
}

const files = mkdtempSync(join(tmpdir(), 'runcloud-test-'));
t.teardown(() => rmSync(files, { recursive: true }));
function fileOf(value: unknown): string {
  const file = join(files, 'value.json');
  writeFileSync(file, JSON.stringify(value));
  return file;
}

/** The arguments of the command for a request. */
const ARGUMENTS: Readonly<Record<string, (request: Record<string, unknown>) => readonly unknown[]>> = {
  tap: ({ x, y }) => ['tap', x, y],
  tapElement: ({ target, waitMs }) => ['tap', '--on', (target as { text: string }).text, '--wait', waitMs],
  scrollTo: ({ target, waitMs }) => ['scroll', '--to', (target as { text: string }).text, '--wait', waitMs],
  swipe: ({ durationMs }) => ['swipe', '0.5,0.7', '0.5,0.5', '--duration', `${durationMs}`],
  typeText: ({ text }) => ['type', text],
  insertText: ({ text }) => ['insert', text],
  pressKey: ({ key }) => ['key', key, '--modifier', 'shift'],
  pressButton: ({ button, durationMs = 50 }) => ['button', button, '--duration', `${durationMs}ms`],
  rotate: ({ orientation }) => ['rotate', orientation],
  launchApp: ({ app, url }) => ['launch', app, '--argument', 'note=$(id) "x"', '--url', url],
  terminateApp: ({ app }) => ['terminate', app],
  installApp: ({ asset }) => ['install', asset],
  uninstallApp: ({ app }) => ['uninstall', app],
  setPermission: ({ app, permission, access }) => ['permission', app, permission, access],
  sendPush: ({ app, payload }) => ['push', app, fileOf(payload)],
  authenticateBiometric: ({ match }) => ['biometric', match ? 'on' : 'off'],
  setRenderDebug: ({ option }) => ['render-debug', option, 'on'],
  setLocation: ({ latitude, longitude, altitudeM }) => ['location', latitude, longitude, '--altitude', altitudeM],
  clearLocation: () => ['clear-location'],
  followRoute: ({ points, speedMPerS }) => ['route', fileOf(points), speedMPerS],
  readLocation: () => ['where'],
  resetDevice: () => ['reset'],
};

async function byCommands(t: Test, record: SessionRecord): Promise<Way> {
  const stateFolder = mkdtempSync(join(tmpdir(), 'runcloud-test-'));
  t.teardown(() => rmSync(stateFolder, { recursive: true }));
  const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url, RUNCLOUD_SESSION: record.id };
  const run = (args: readonly string[]) => commandLine(args, { env, stateFolder });
  const json = async (...args: readonly string[]) => JSON.parse((await run([...args, '--json'])).stdout);
  return {
    perform: async ({ requestId, timeoutMs, ...request }) => {
      const args = (ARGUMENTS[request.action]?.(request) ?? []).map(String);
      const common = ['--json', ...(requestId ? ['--request-id', String(requestId)] : [])];
      const timeout = timeoutMs === undefined ? [] : ['--timeout', String(timeoutMs)];
      const { code, stdout, stderr } = await run([...args, ...common, ...timeout]);
      return outcome(JSON.parse(code === 0 ? stdout : stderr));
    },
    screenshot: async () => (await run(['screenshot', '--output', '-'])).bytes,
    openUrl: async (url) => {
      const { code, stdout, stderr } = await run(['open-url', url, '--json']);
      return opened(JSON.parse(code === 0 ? stdout : stderr));
    },
    clipboard: async (text) => {
      const args = text === undefined ? ['get'] : ['set', text];
      const { code, stdout, stderr } = await run(['clipboard', ...args, '--json']);
      return held(JSON.parse(code === 0 ? stdout : stderr));
    },
    startRecording: (key) => json('record', 'start', '--idempotency-key', key),
    stopRecording: (id) => json('record', 'stop', id),
    download: async (id) => digestOf((await run(['record', 'download', id, '-o', '-'])).bytes),
    upload: (app) => {
      const file = join(stateFolder, 'demo.ipa');
      writeFileSync(file, app);
      return json('app', 'upload', file);
    },
    deleteAsset: async (id) => void (await json('app', 'delete', id)),
  };
}

/** The package's file for browsers, in a page whose policy lets no code be made out of text. */
async function inPage(t: Test, record: SessionRecord): Promise<Way> {
  const script = readFileSync(join(await buildPackage(t), 'browser.js'));
  const page = await (await startBrowser(t)).newPage();
  // The viewer's page, for its policy; its own script is replaced.
  await page.route(`${server.url}/viewer/app.js`, (route) => {
    return route.fulfill({ headers: { 'Content-Type': 'text/javascript' }, body: script });
  });
  await page.goto(record.url);
  await page.evaluate(
    async ({ apiKey, record }) => {
      const address = '/viewer/app.js';
      const { RunCloud: InPage } = (await import(address)) as { RunCloud: typeof RunCloud };
      const cloud = new InPage({ apiKey, baseUrl: location.origin });
      const session = cloud.session(record);
      await session.connect();
      Object.assign(window, { cloud, session });
    },
    { apiKey: TEST_KEY, record: { id: record.id, platform: record.platform } },
  );
  type Page = { readonly cloud: RunCloud; readonly session: ReturnType<RunCloud['session']> };
  return {
    perform: async (request) => {
      const told = await page.evaluate(async (request) => {
        const { session } = window as unknown as Page;
        return session.interact(request as never).catch((error: { toJSON(): object }) => error.toJSON());
      }, request);
      return outcome(told as Told);
    },
    screenshot: async () => {
      const bytes = await page.evaluate(async () => [...(await (window as unknown as Page).session.screenshot())]);
      return Uint8Array.from(bytes);
    },
    openUrl: async (url) => {
      const told = await page.evaluate(async (url) => {
        const { session } = window as unknown as Page;
        return session.openUrl(url).catch((error: { toJSON(): object }) => error.toJSON());
      }, url);
      return opened(told as Told);
    },
    clipboard: async (text) => {
      const told = await page.evaluate(async (text) => {
        const { clipboard } = (window as unknown as Page).session;
        const asked = text === undefined ? clipboard.read() : clipboard.write(text);
        return asked.catch((error: { toJSON(): object }) => error.toJSON());
      }, text);
      return held(told as Held & Told);
    },
    startRecording: (idempotencyKey) =>
      page.evaluate(
        (idempotencyKey) => (window as unknown as Page).session.recordings.start({ idempotencyKey }),
        idempotencyKey,
      ) as Promise<RecordingRecord>,
    stopRecording: (id) =>
      page.evaluate((id) => (window as unknown as Page).session.recordings.stop(id), id) as Promise<RecordingRecord>,
    download: (id) =>
      page.evaluate(async (id) => {
        const bytes = await (window as unknown as Page).session.recordings.download(id);
        const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
        return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      }, id),
    upload: (app) =>
      page.evaluate(
        (bytes) => (window as unknown as Page).cloud.assets.upload(Uint8Array.from(bytes)),
        [...app],
      ) as Promise<AssetRecord>,
    deleteAsset: (id) => page.evaluate((id) => (window as unknown as Page).cloud.assets.delete(id), id),
  };
}

const WAYS = {
  'the SDK over the control socket': byPackage(true),
  'the SDK over REST': byPackage(false),
  'the command line': byCommands,
  'plain HTTP': byFetch,
  'the SDK in a page': inPage,
};

const completed = (result?: unknown): Outcome => ({ status: 'completed', result });
const refused = (code: string, status = 'failed', retryable = false): Outcome => ({ status, code, retryable });

/** A request, and what everybody tells of it. */
const STORY: readonly [Request, Outcome][] = [
  [{ action: 'tap', x: 0.39, y: 0.92 }, completed({ pointCount: 1 })],
  [
    { action: 'tapElement', target: { text: 'nobody has this' }, waitMs: 0 },
    refused('target_not_found', 'failed', true),
  ],
  [{ action: 'scrollTo', target: { text: 'nobody has this' }, waitMs: 0 }, refused('target_not_found', 'failed', true)],
  [{ action: 'typeText', text: 'Hello', requestId: 'hello' }, completed({ characterCount: 5 })],
  [{ action: 'typeText', text: 'Hello', requestId: 'hello' }, completed({ characterCount: 5 })],
  [{ action: 'insertText', text: 'Grüße 你好 😀' }, completed({ characterCount: 10 })],
  [{ action: 'typeText', text: 'Bye', requestId: 'hello' }, refused('duplicate_request')],
  [
    { action: 'pressKey', key: 'x', modifiers: ['shift'] },
    completed({ key: 'x', modifiers: ['shift'], durationMs: 50 }),
  ],
  [
    { action: 'swipe', from: { x: 0.5, y: 0.7 }, to: { x: 0.5, y: 0.5 }, durationMs: 80 },
    completed({ pointCount: 1, durationMs: 80 }),
  ],
  [{ action: 'pressButton', button: 'back' }, refused('unsupported_action')],
  [{ action: 'rotate', orientation: 'portrait_upside_down' }, refused('unsupported_action')],
  [
    { action: 'pressButton', button: 'power', durationMs: 9_000, timeoutMs: 200 },
    refused('interaction_timeout', 'timed_out', true),
  ],
  [{ action: 'rotate', orientation: 'landscape_left' }, completed({ orientation: 'landscape_left' })],
  [
    { action: 'setRenderDebug', option: 'slowAnimations', enabled: true },
    completed({ option: 'slowAnimations', enabled: true }),
  ],
];

/** An app that takes `demo:`; it is in every session of the story. */
const demo = await iosPackage();
const installed = (await (await byFetch(t, { id: '', platform: 'ios' } as SessionRecord)).upload(demo)).id;

for (const [name, open] of Object.entries(WAYS)) {
  const skip = open === inPage && withoutBrowser;
  t.test(`the story, told by ${name}`, { skip }, async (t) => {
    const record = await server.rest.createSession('ios', { installAssets: [installed] });
    const way = await open(t, record);
    const recording = await way.startRecording('story');
    t.match(recording, { status: 'recording', sessionId: record.id });
    t.equal((await way.startRecording('story')).id, recording.id, 'the same key again starts nothing');
    for (const [request, expected] of STORY) t.same(await way.perform(request), expected, JSON.stringify(request));
    const { width, height } = await decodePng(Buffer.from(await way.screenshot()));
    t.same([width, height], [1_280, 590]);
    const { app, orientation, renderOptions, heldButtons } = await server.inspect('ios', record.id);
    t.match(
      { text: app.text, orientation, renderOptions, heldButtons },
      {
        text: 'HelloGrüße 你好 😀X',
        orientation: 'landscape_left',
        renderOptions: ['slowAnimations'],
        heldButtons: { length: 0 },
      },
    );
    const stopped = await way.stopRecording(recording.id);
    t.match(stopped, { id: recording.id, status: 'ready', contentType: 'video/mp4' });
    t.equal((await way.stopRecording(recording.id)).checksum, stopped.checksum, 'repeated: the same');
    t.equal(`sha256:${await way.download(recording.id)}`, stopped.checksum, 'the file is the one that was verified');

    for (const url of ['demo://cart?x=1%202', 'demo://x/?ids[]=1|2^{é}"\'\\', 'demo:`id`$(id)😀\u202e\u2028<漢>']) {
      t.same(await way.openUrl(url), { url });
    }
    t.same(await way.openUrl(`https://example.com/${'漢'.repeat(4_076)}`), {
      url: `https://example.com/${'漢'.repeat(4_076)}`,
    });
    t.same(await way.openUrl('nobody-has-this:x'), { code: 'ios_url_handler_not_found' });
    for (const text of ['Grüße 你好 😀', ' $(id) `x` "\\"\r\n\t\0\u202e', '']) {
      t.same(await way.clipboard(text), { text });
      t.same(await way.clipboard(), { text });
    }
    const demoApp = 'com.example.demo';
    const launch = { action: 'launchApp', app: demoApp, arguments: { note: '$(id) "x"' }, url: 'demo://launched' };
    t.same(await way.perform(launch), completed({ app: demoApp, state: 'front' }));
    t.match((await server.inspect('ios', record.id)).app, { url: 'demo://launched', arguments: { note: '$(id) "x"' } });
    t.same(await way.perform({ action: 'terminateApp', app: demoApp }), completed({ app: demoApp, state: 'stopped' }));
    for (const [access, state] of [
      ['grant', 'granted'],
      ['revoke', 'denied'],
      ['reset', 'undecided'],
    ] as const) {
      const asked = { app: demoApp, permission: 'location' as const };
      const told = await way.perform({ action: 'setPermission', ...asked, access });
      t.same(told, completed({ ...asked, state, readBack: true }));
    }
    const payload = { aps: { alert: { title: 'Order 7', body: 'It is on its way' } } };
    const sent = await way.perform({ action: 'sendPush', app: demoApp, payload });
    t.same(sent, completed({ app: demoApp, shown: true, readBack: true }));
    t.same(await way.perform({ action: 'uninstallApp', app: demoApp }), completed({ app: demoApp }));
    t.same(await way.perform({ action: 'terminateApp', app: demoApp }), refused('app_not_found'));
    t.match((await server.inspect('ios', record.id)).app, { installed: { length: 0 } });
    const place = { latitude: -33.86, longitude: 1e-7, altitudeM: -3.5 };
    const located = completed({ location: place, readBack: true });
    t.same(await way.perform({ action: 'setLocation', ...place }), located);
    const route = { action: 'followRoute', points: [place, { latitude: 0, longitude: 0 }], speedMPerS: 0.1 };
    const moving = completed({ location: place, readBack: true, route: { state: 'moving', speedMPerS: 0.1 } });
    t.match(await way.perform(route), moving);
    t.match(await way.perform({ action: 'readLocation' }), completed({ route: { state: 'moving', speedMPerS: 0.1 } }));
    t.same(await way.perform({ action: 'clearLocation' }), completed({ readBack: true }));
    t.same(await way.perform({ action: 'resetDevice' }), completed());
    t.match((await server.inspect('ios', record.id)).app, { installed: [{ id: demoApp }] });
    const asset = await way.upload(demo);
    t.match(asset, { identifier: 'com.example.demo', byteSize: demo.length, checksum: `sha256:${digestOf(demo)}` });
    const shown = { app: demoApp, kind: 'user', state: 'stopped' };
    t.match(await way.perform({ action: 'installApp', asset: asset.id }), completed(shown));
    t.same(await way.perform({ action: 'installApp', asset: 'ast_none' }), refused('asset_not_found'));
    t.same(await way.perform({ action: 'uninstallApp', app: demoApp }), completed({ app: demoApp }));
    const unused = await way.upload(demo);
    await way.deleteAsset(unused.id);
    t.equal((await server.rest.call('GET', `/service/assets/${unused.id}`)).status, 404);

    await server.rest.releaseSession(record.id);
    t.equal(`sha256:${await way.download(recording.id)}`, stopped.checksum, 'also after the end of the session');
    t.same(await way.openUrl('demo://cart'), { code: 'active_session_not_found' });
    t.same(await way.clipboard('late'), { code: 'active_session_not_found' });
    const gone = await way.perform({ action: 'tap', x: 0.5, y: 0.5 });
    t.same([gone.status, gone.code], ['failed', 'active_session_not_found']);
  });
}
