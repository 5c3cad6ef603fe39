import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionRecord } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { RunCloud } from '../../client/sdk/index.ts';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { buildPackage } from '../support/built-package.ts';
import { commandLine } from '../support/command-line.ts';
import { decodePng } from '../support/picture.ts';
import { startServer, TEST_KEY } from '../support/server.ts';

/**
 * One story, told by every client of the package and by plain HTTP: whichever it is, the answers and what the device then
 * shows are the same.
 */

const server = await startServer();
t.teardown(() => server.close());

type Request = Readonly<Record<string, unknown>> & { readonly action: string };
/** What all of them tell, without times and ids of their own. */
interface Outcome {
  readonly status: string;
  readonly code?: string;
  readonly retryable?: boolean;
  readonly result?: unknown;
}

interface Way {
  perform(request: Request): Promise<Outcome>;
  screenshot(): Promise<Uint8Array>;
}

type Told = { readonly status?: string; readonly interactionStatus?: string; readonly result?: unknown } & {
  readonly error?: { readonly code: string; readonly retryable: boolean };
};

function outcome({ status = 'failed', result, error }: Told): Outcome {
  return { status, ...(error ? { code: error.code, retryable: error.retryable } : { result }) };
}

const byPackage =
  (connected: boolean) =>
  async (_t: Test, record: SessionRecord): Promise<Way> => {
    const session = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url }).session(record);
    if (connected) await session.connect();
    return {
      perform: (request) =>
        session.interact(request as never).then(outcome, (error: { toJSON(): Told }) => outcome(error.toJSON())),
      screenshot: () => session.screenshot(),
    };
  };

async function byFetch(_t: Test, record: SessionRecord): Promise<Way> {
  return {
    perform: async (request) => outcome((await server.rest.interact(record, request)).body),
    screenshot: () => server.rest.screenshot(record),
  };
}

/** The arguments of the command for a request. */
const ARGUMENTS: Readonly<Record<string, (request: Record<string, unknown>) => readonly unknown[]>> = {
  tap: ({ x, y }) => ['tap', x, y],
  swipe: ({ durationMs }) => ['swipe', '0.5,0.7', '0.5,0.5', '--duration', `${durationMs}`],
  typeText: ({ text }) => ['type', text],
  pressKey: ({ key }) => ['key', key, '--modifier', 'shift'],
  pressButton: ({ button, durationMs = 50 }) => ['button', button, '--duration', `${durationMs}ms`],
  rotate: ({ orientation }) => ['rotate', orientation],
  setRenderDebug: ({ option }) => ['render-debug', option, 'on'],
};

async function byCommands(t: Test, record: SessionRecord): Promise<Way> {
  const stateFolder = mkdtempSync(join(tmpdir(), 'runcloud-test-'));
  t.teardown(() => rmSync(stateFolder, { recursive: true }));
  const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url, RUNCLOUD_SESSION: record.id };
  const run = (args: readonly string[]) => commandLine(args, { env, stateFolder });
  return {
    perform: async ({ requestId, timeoutMs, ...request }) => {
      const args = (ARGUMENTS[request.action]?.(request) ?? []).map(String);
      const common = ['--json', ...(requestId ? ['--request-id', String(requestId)] : [])];
      const timeout = timeoutMs === undefined ? [] : ['--timeout', String(timeoutMs)];
      const { code, stdout, stderr } = await run([...args, ...common, ...timeout]);
      return outcome(JSON.parse(code === 0 ? stdout : stderr));
    },
    screenshot: async () => (await run(['screenshot', '--output', '-'])).bytes,
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
      const session = new InPage({ apiKey, baseUrl: location.origin }).session(record);
      await session.connect();
      Object.assign(window, { session });
    },
    { apiKey: TEST_KEY, record: { id: record.id, platform: record.platform } },
  );
  type Page = { readonly session: ReturnType<RunCloud['session']> };
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
  [{ action: 'typeText', text: 'Hello', requestId: 'hello' }, completed({ characterCount: 5 })],
  [{ action: 'typeText', text: 'Hello', requestId: 'hello' }, completed({ characterCount: 5 })],
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

for (const [name, open] of Object.entries(WAYS)) {
  const skip = open === inPage && withoutBrowser;
  t.test(`the story, told by ${name}`, { skip }, async (t) => {
    const record = await server.rest.createSession('ios');
    const way = await open(t, record);
    for (const [request, expected] of STORY) t.same(await way.perform(request), expected, JSON.stringify(request));
    const { width, height } = await decodePng(Buffer.from(await way.screenshot()));
    t.same([width, height], [1_280, 590]);
    const { app, orientation, renderOptions, heldButtons } = await server.inspect('ios', record.id);
    t.match(
      { text: app.text, orientation, renderOptions, heldButtons },
      {
        text: 'HelloX',
        orientation: 'landscape_left',
        renderOptions: ['slowAnimations'],
        heldButtons: [],
      },
    );
    await server.rest.releaseSession(record.id);
    const gone = await way.perform({ action: 'tap', x: 0.5, y: 0.5 });
    t.same([gone.status, gone.code], ['failed', 'active_session_not_found']);
  });
}
