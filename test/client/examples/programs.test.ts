import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { SessionList } from '@runcloud/protocol';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { startBrowser, withoutBrowser } from '../../support/browser.ts';
import { buildPackage, complaintsAbout, execute, projectWith } from '../../support/built-package.ts';
import { complaints } from '../../support/mp4-judges.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

/** The examples as users have them: in a project that has the package installed. */

const project = projectWith(await buildPackage(t));
cpSync('client/examples', project, { recursive: true });
for (const name of ['esbuild', 'react-dom', '@types/react-dom', 'scheduler', '@esbuild']) {
  symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name));
}
const server = await startServer();
t.teardown(() => server.close());
const ENVIRONMENT = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url };
const NODE = ['--preserve-symlinks', '--preserve-symlinks-main'];

t.test('they compile, without looking away from the types of the package', async (t) => {
  const programs = { lib: ['es2023'], types: ['node'], allowJs: true, checkJs: true, noEmit: true };
  t.equal(await complaintsAbout(project, ['node/drive.mjs', 'server.mjs'], programs), '');
  const pages = { lib: ['es2023', 'dom', 'dom.iterable'], types: [], jsx: 'react-jsx', noEmit: true };
  t.equal(await complaintsAbout(project, ['react/app.tsx'], pages), '');
});

const withoutFfmpeg = spawnSync('ffmpeg', ['-version']).error !== undefined;

t.test('the program for Node.js drives a phone of each platform', async (t) => {
  for (const [platform, model, size] of [
    ['ios', 'Virtual iPhone', [295, 640]],
    ['android', 'Virtual Android', [288, 640]],
  ] as const) {
    const cwd = t.testdir({});
    const program = join(project, 'node/drive.mjs');
    const { stdout, stderr } = await execute(process.execPath, [...NODE, program, platform], { cwd, env: ENVIRONMENT });
    t.equal(stderr, '');
    t.strictSame(
      stdout.split('\n').filter((line) => !line.startsWith('turned')),
      [
        `session active ${model}`,
        'tap accepted dispatched result',
        'typed 18',
        'swipe cancelled interaction_cancelled',
        'finger 1',
        `picture jpeg ${size.join('x')}`,
        'recorded true',
        '',
      ],
    );
    t.match(stdout, /^turned landscape_left\nturned portrait$/m);
    const { width, height } = await sharp(join(cwd, 'screen.jpg')).metadata();
    t.same([width, height], size);
    t.ok(readFileSync(join(cwd, 'notes.png')).length > 1_000);
    if (!withoutFfmpeg) t.equal(await complaints(join(cwd, 'recording.mp4')), '');
  }
});

/** Starts an example's server; resolves with the address that it prints. */
async function serve(t: Test, example: string): Promise<string> {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [...NODE, join(project, 'server.mjs'), example], {
    env: { PATH, ...ENVIRONMENT, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  t.teardown(async () => {
    child.kill();
    await exited;
  });
  const said = createInterface({ input: child.stdout });
  const first = await Promise.race([once(said, 'line'), exited.then(() => ['it ended'])]);
  const [, address = ''] = /^Open (\S+)$/.exec(String(first[0])) ?? [];
  t.ok(address, String(first[0]));
  return address;
}

for (const [example, text] of [
  ['page', 'Hello from a page'],
  ['react', 'Hello from React'],
] as const) {
  t.test(`the example "${example}" shows a phone and drives it`, { skip: withoutBrowser }, async (t) => {
    const address = await serve(t, example);
    const { sessions } = (await server.rest.call<SessionList>('GET', '/service/sessions')).body;
    const { id = '' } = sessions.find(({ labels }) => labels.example === example) ?? {};
    const page = await (await startBrowser(t)).newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(address);
    const line = (of: RegExp): Locator => page.getByRole('listitem').filter({ hasText: of }).first();
    await line(/^ready ios$/).waitFor();
    await page.getByRole('button', { name: 'Write a note' }).click();
    await line(/^typeText completed in \d+(?:\.\d+)? ms$/).waitFor();
    t.match(await server.inspect('ios', id), { foreground: 'notes', app: { text } });
    await page.getByRole('button', { name: 'Home' }).click();
    await line(/^pressButton completed/).waitFor();
    t.equal((await server.inspect('ios', id)).foreground, 'home');
    t.strictSame(faults, []);
    t.notMatch(await page.content(), TEST_KEY, 'the key stays at the server');
  });
}

t.test('each of them is named in the README of the package', async (t) => {
  const readme = readFileSync('client/README.md', 'utf8');
  for (const name of ['node', 'page', 'react', 'python']) {
    t.ok(existsSync(join('client/examples', name)), name);
    t.match(readme, `(examples/${name})`, name);
  }
});
