import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ACTION_NAMES } from '@runcloud/protocol';
import t from 'tap';
import { buildPackage, complaintsAbout, execute, projectWith } from '../../support/built-package.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const BROWSER_BYTES_MAX = 48 * 1_024;
/** Maximum size of the download of an installation, without the five dependencies; half of it are source maps. */
const TARBALL_BYTES_MAX = 736 * 1_024;

const dist = await buildPackage(t);
const text = (name: string) => readFileSync(join(dist, name), 'utf8');

t.test('the browser entry is small, and does not compile code at run time', (t) => {
  const bytes = gzipSync(text('browser.js'), { level: 9 }).length;
  t.ok(bytes < BROWSER_BYTES_MAX, `${bytes} bytes`);
  t.notMatch(text('browser.js'), 'Your own id of the request', 'no description of a field is in it');
  t.match(text('browser.js'), '"steps"', 'and what is said of faults is');
  for (const name of ['browser.js', 'index.js', 'embed.js', 'react.js']) {
    t.notMatch(text(name), /\beval\(|new Function|[^.\w]Function\(/, name);
  }
  t.notMatch(text('browser.js'), /from\s*["'](?:node:|ws)/, 'and nothing of Node.js');
  t.end();
});

t.test('nothing of the workspace is left in it', (t) => {
  const { dependencies } = JSON.parse(readFileSync('client/package.json', 'utf8'));
  const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const specifiers = scripts.flatMap((name) =>
    [...text(name).matchAll(/^(?:import|export)\s[^'"]*?from\s*["']([^'"]+)["']|\bimport\(["']([^'"]+)["']\)/gm)].map(
      ([, from, loaded]) => from ?? loaded ?? '',
    ),
  );
  const packages = new Set(specifiers.filter((name) => !/^(?:node:|\.)/.test(name)));
  for (const name of packages) t.ok(name in dependencies || /^react(\/|$)/.test(name), name);
  t.ok(packages.has('ws') && packages.has('commander'));
  const types = readdirSync(join(dist, 'types'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.d\.ts$/.test(name),
  );
  t.ok(types.length > 15);
  for (const name of types) {
    const foreign = [...text(join('types', name)).matchAll(/from '([^'.][^']*)'/g)].map(([, from = '']) => from);
    t.same(
      foreign.filter((from) => from !== 'react'),
      [],
      name,
    );
  }
  t.end();
});

t.test('editors find the comment of every action in the declarations', (t) => {
  const declared = text('types/protocol/actions/methods.d.ts');
  for (const name of ACTION_NAMES) t.match(declared, new RegExp(`/\\*\\* .* \\*/\\s+readonly ${name}: `), name);
  t.end();
});

t.test('every comment of the declarations can be read without another document, and every method has one', (t) => {
  const types = readdirSync(join(dist, 'types/client'), { recursive: true, encoding: 'utf8' });
  for (const name of types.filter((name) => name.endsWith('.d.ts'))) {
    const lines = text(join('types/client', name)).split('\n');
    t.notMatch(lines.join('\n'), /specification|\bsections? \d|README|protocol, /i, name);
    const isPublic =
      /^(?:sdk\/(?:control\/control|account|assets|client|keys|links|recordings|sessions?|tokens)|embed)/;
    if (!isPublic.test(name)) continue;
    for (const [index, line] of lines.entries()) {
      // An editor shows the comment of what is overridden.
      const method = /^ {4}(?:abstract )?(?!constructor|interact|cancel|[gs]etClipboard)(\w+)(?:<.*>)?\(/.exec(
        line,
      )?.[1];
      if (method) t.match(lines[index - 1], /\*\/$/, `${name}: ${method}`);
    }
  }
  t.end();
});

t.test('a stack trace names the sources of the package, which are in its maps', async (t) => {
  for (const name of ['index.js', 'browser.js', 'embed.js', 'react.js']) {
    const { sources, sourcesContent } = JSON.parse(text(`${name}.map`));
    t.match(text(name), new RegExp(`//# sourceMappingURL=${name}\\.map\n$`));
    t.ok(sources.length > 5 && sources.length === sourcesContent.length, name);
  }
  const program = `import { RunCloud } from '${join(dist, 'index.js')}'; new RunCloud({ apiKey: 3 });`;
  const folder = t.testdir({ 'program.mjs': program });
  const run = execute(process.execPath, ['--enable-source-maps', join(folder, 'program.mjs')]);
  const { stderr } = await run.catch((error: { readonly stderr: string }) => error);
  t.match(stderr, /TypeError: "apiKey" must be text.*[/\\]client[/\\]sdk[/\\]client\.ts:\d+/s);
});

t.test('only what is meant to be published is packed', async (t) => {
  const copy = join(dirname(dist), 'client');
  for (const name of ['package.json', 'README.md', 'LICENSE', 'bin', 'sdk', 'skills']) {
    cpSync(join('client', name), join(copy, name), { recursive: true });
  }
  cpSync(dist, join(copy, 'dist'), { recursive: true });
  const { stdout } = await execute('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: copy });
  const [packed] = JSON.parse(stdout);
  const { dependencies } = JSON.parse(readFileSync('client/package.json', 'utf8'));
  t.comment(`packed ${packed.size} bytes, unpacked ${packed.unpackedSize} bytes in ${packed.entryCount} files`);
  t.comment(`depends on ${Object.keys(dependencies).join(', ')}`);
  t.same(
    Object.keys(dependencies),
    ['cli-progress', 'commander', 'env-paths', 'ws', 'yaml'],
    'no native part, and no server',
  );
  t.ok(packed.size < TARBALL_BYTES_MAX, `${packed.size} bytes`);
  const tops = new Set(packed.files.map(({ path }: { path: string }) => path.split('/')[0]));
  t.same([...tops].sort(), ['LICENSE', 'README.md', 'bin', 'dist', 'package.json', 'skills']);
  t.notOk(JSON.parse(readFileSync('client/package.json', 'utf8')).private, 'it can be published');
});

const PROGRAM = `
import { isCapacityError, RunCloud, RunCloudError, type InteractionRequest, type Session } from 'runcloud';
import type { SimulatorFrame } from 'runcloud/embed';

const cloud = new RunCloud();
const session: Session = await cloud.sessions.create({ platform: 'ios' });
const request: InteractionRequest = { action: 'tap', x: 0.39, y: 0.92 };
const { status } = await session.interact(request);
const control = await session.connect();
control.on('event', (event) => event.event === 'orientation' && console.log(event.orientation));
await session.setOrientation('landscape_left');
const png: Uint8Array = await session.screenshot();
const local = await session.tap(0.5, 2).catch((error: unknown) => (error as Error).name);
const failure = await session.rotateDigitalCrown(1).catch((error: unknown) => error);
if (failure instanceof RunCloudError) console.log(failure.code, isCapacityError(failure));
// @ts-expect-error there is no such orientation
const wrong = () => session.rotate('upside_down');
export type Frame = SimulatorFrame;
console.log(status, png.length > 1_000, local);
session.disconnect();
await session.delete();
`;

t.test('a typed program that has it installed compiles, without looking away from its types, and runs', async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const folder = projectWith(dist);
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
  const options = { lib: ['es2023', 'dom', 'dom.iterable'], types: ['node'] };
  t.equal(await complaintsAbout(folder, ['program.ts'], options), '');
  const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url, XDG_CONFIG_HOME: folder };
  const run = (...args: readonly string[]) =>
    execute(process.execPath, ['--preserve-symlinks', ...args], { cwd: folder, env });
  const { stdout } = await run('program.js');
  t.equal(stdout, 'landscape_left\nunsupported_action false\ncompleted true RangeError\n');
  const cli = join('node_modules', 'runcloud', 'bin', 'runcloud.js');
  const created = await run('--preserve-symlinks-main', cli, 'session', 'create', 'android', '--json');
  t.match(JSON.parse(created.stdout), { platform: 'android', status: 'active' });
  t.match((await run('--preserve-symlinks-main', cli, 'tap', '0.5', '0.5')).stdout, /^tap completed in/);
});
