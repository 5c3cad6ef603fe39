import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { Test } from 'tap';
import { type CreateSession, RunCloud, type SessionHandle, type UiNode } from '../../client/sdk/index.ts';
import { ViewerPage } from './browser.ts';
import { commandLine, type Finished } from './command-line.ts';
import { sampleIos } from './sample-apps.ts';
import { startServer, TEST_KEY } from './server.ts';
import { until } from './until.ts';

const DEVICES = 'virtual-ios:2,virtual-android:2,virtual-ios@3x:1,virtual-android@3x:1,virtual-android-fold:1';

/** The apps that phones get beside their own; the one that is broken looks otherwise, and the other only takes a place. */
const APPS = {
  ios: async () => new Uint8Array(await sampleIos()),
  android: async () => new Uint8Array(readFileSync('server/sample/sample.apk')),
  broken: async () => new Uint8Array(await sampleIos('Sumple')),
  other: async () => new Uint8Array(await sampleIos('Another', 'com.example.another')),
} as const;
type App = keyof typeof APPS;

/** A service with phones of several sizes, the walk of a person through four apps, and the flow that becomes of it. */
export async function capturedWalk(t: Test, browser: Browser) {
  const server = await startServer({ RUNCLOUD_DEVICES: DEVICES });
  t.teardown(() => server.close());
  const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });
  const ids = new Map<App, string>();
  for (const [name, make] of Object.entries(APPS)) {
    ids.set(name as App, (await cloud.assets.upload(await make())).id);
  }
  const create = (request: CreateSession, ...apps: readonly App[]) =>
    cloud.sessions.create({ ...request, installAssets: apps.map((app) => ids.get(app) ?? '') });
  const folder = t.testdir({});
  const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url };
  const command = (...args: readonly string[]): Promise<Finished> =>
    commandLine(args, { env, stateFolder: join(folder, 'state') });

  const session = await create({ platform: 'ios', historyElements: true, historyTexts: 'full' }, 'ios');
  const inputs = await walk(await ViewerPage.open(browser, await session.read()), session);
  const file = join(folder, 'walk.yaml');
  const captured = await command('flow', 'capture', session.id, '--output', file, '--name', 'A walk');
  const end = await saidBy(session);
  await session.delete();

  /** Runs the flow on a new phone; gives what it printed, and what its screen said then. */
  const run = async (request: CreateSession, ...apps: readonly App[]) => {
    const phone = await create(request, ...apps);
    const output = join(folder, 'output');
    const finished = await command('flow', 'run', file, '--session', phone.id, '--wait', '10s', '--output', output);
    const said = await saidBy(phone);
    await phone.delete();
    return { ...finished, said };
  };
  return { inputs, captured, file, end, run };
}

/** Thirty inputs by the mouse and the keyboard of a browser, each at what is in the picture. Resolves with their number. */
async function walk(viewer: ViewerPage, session: SessionHandle): Promise<number> {
  const { page } = viewer;
  let inputs = 0;
  /** A person waits until the picture stands still, too. */
  const given = async (): Promise<void> => {
    inputs++;
    const done = async () => {
      let count = 0;
      for await (const { status } of session.history()) if (status !== 'pending') count++;
      return count >= inputs;
    };
    await until(done, `input ${inputs} to be performed`);
    await session.waitFor({ idle: true });
  };
  const click = async (text: string): Promise<void> => {
    const { element } = await session.waitFor({ target: { text } });
    const { x, y, width, height } = element?.frame ?? { x: 0, y: 0, width: 0, height: 0 };
    await viewer.click(x + width * 0.4, y + height * 0.6);
    await given();
  };
  const home = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Home', exact: true }).click();
    await given();
  };
  const wheel = async (pixels: number): Promise<void> => {
    const { x, y } = await viewer.place(0.5, 0.6);
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, pixels);
    await given();
  };
  const type = async (text: string): Promise<void> => {
    for (const key of text) {
      await page.keyboard.press(key);
      await given();
    }
  };

  await click('Sample');
  await home();
  await click('Notes');
  await type('Mi');
  await page.keyboard.press('Backspace');
  await given();
  await type('ilk');
  await home();
  await click('Settings');
  await click('Dark mode');
  await wheel(300);
  await wheel(300);
  await click('System');
  await wheel(-400);
  await click('Dark mode');
  await home();
  await click('Browser');
  await click('News');
  await click('Back');
  await click('Music');
  await home();
  await click('Settings');
  await click('Dark mode');
  await home();
  await click('Sample');
  await home();
  await click('Notes');
  await type('!');
  return inputs;
}

/** All that a screen says of the app in front, in order. */
async function saidBy(session: SessionHandle): Promise<readonly string[]> {
  await session.waitFor({ idle: true });
  const words = (nodes: readonly UiNode[]): readonly string[] =>
    nodes.flatMap(({ system, role, name, value, children = [] }) =>
      system || role === 'keyboard' ? [] : [`${role} ${name ?? ''} ${value ?? ''}`.trim(), ...words(children)],
    );
  return words((await session.ui()).nodes);
}
