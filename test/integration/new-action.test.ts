import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { compilerProgram } from '../../client/build/declarations.ts';
import { withoutBrowser } from '../support/browser.ts';

/** An action is one value and one handler: this adds one to a copy of the sources, and asks for it in every way there is. */

const execute = promisify(execFile);

const VALUE = `
import { Type } from '@sinclair/typebox';
import { defineAction } from './define-action.ts';

const heading = { pitch: Type.Number({ minimum: -90, maximum: 90 }), azimuth: Type.Number({ minimum: -180, maximum: 180 }) };

export const setHeading = defineAction({
  name: 'setHeading',
  summary: 'Turn the device by its sensors',
  fields: heading,
  result: heading,
});
`;

const COMMAND = `
  setHeading: {
    name: 'heading',
    examples: ['heading 52.52 13.4'],
    arguments: [
      { name: 'pitch', words: 'degrees, -90 to 90', notation: 'number' },
      { name: 'azimuth', words: 'degrees, -180 to 180', notation: 'number' },
    ],
  },
`;

/** Texts that are inserted before a text of a file. */
const BEFORE: Readonly<Record<string, readonly (readonly [before: string, added: string])[]>> = {
  'protocol/actions/index.ts': [
    ['import { swipe }', `import { setHeading } from './set-heading.ts';\n`],
    ['} as const;', '  setHeading,\n'],
  ],
  'client/cli/action-commands.ts': [['  setRenderDebug: {', COMMAND]],
  'protocol/actions/methods.ts': [
    [
      '} as const satisfies',
      '  /** Turns the device by its sensors. */\n' +
        '  setHeading: { call: (pitch: number, azimuth: number) => ({ pitch, azimuth }) },\n',
    ],
  ],
  'server/drivers/virtual/virtual-device.ts': [
    ['      tap: (at,', '      setHeading: ({ pitch, azimuth }) => ({ pitch, azimuth }),\n'],
  ],
};
const DOCUMENTED: typeof BEFORE = {
  'README.md': [['| `setRenderDebug`', '| `setHeading` | `pitch`, `azimuth` |\n']],
  'client/README.md': [
    ['`setRenderDebug`', '`setHeading`, '],
    ['`render-debug`', '`heading`, '],
  ],
  'protocol/README.md': [
    ['| `setRenderDebug`         |', '| `setHeading` | `pitch`, `azimuth` | `{ pitch, azimuth }` |\n'],
  ],
};

/** Where one such action is written down, for the drivers that can do it; the others say nothing of it. */
const TOUCHED = [
  'protocol/actions/set-heading.ts',
  'server/drivers/ios/simulator-device.ts',
  'server/drivers/ios/simctl.ts',
  ...Object.keys(BEFORE),
  ...Object.keys(DOCUMENTED),
];
const TOUCHED_TESTS = [
  'tap-snapshots/test/client/cli/help.test.ts.test.cjs',
  'test/conformance/heading.test.ts',
  'test/protocol/actions/request.test.ts',
  'test/protocol/actions/set-heading.test.ts',
  'test/vectors/client-messages.json',
];

/** Asks for it over REST, by the SDK on both of its ways, by the command line and from a page around the viewer. */
const PROGRAM = `
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import { RunCloud } from '../client/sdk/index.ts';
import { commandLine } from './support/command-line.ts';
import { startServer, TEST_KEY } from './support/server.ts';

const site = createServer((_request, response) => {
  response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Page</title><iframe></iframe>');
});
await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
const origin = 'http://127.0.0.1:' + site.address().port;
const server = await startServer();
const record = await server.rest.createSession('ios', { embedOrigins: [origin] });
const { body: rest } = await server.rest.interact(record, { action: 'setHeading', pitch: 1, azimuth: 2 });
const session = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url }).session(record);
const sdk = await session.setHeading(1, 2);
const refused = await session.setHeading(91, 0).catch(String);
const { ready } = await session.connect();
const socket = await session.setHeading(1, 2, { requestId: 'mine' });
session.disconnect();
const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url, RUNCLOUD_SESSION: record.id };
const command = await commandLine(['heading', '1', '2', '--json'], { env, stateFolder: server.dataDir });
const api = await (await fetch(server.url + '/openapi.json')).json();
let embed;
if (process.argv[2] === 'with browser') {
  const args = ['--no-sandbox', '--headless=new', '--disable-gpu'];
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
  const page = await browser.newPage();
  await page.goto(origin);
  const addresses = { script: server.url + '/viewer/embed.js', url: record.url };
  embed = await page.evaluate(async ({ script, url }) => {
    const { createSimulatorFrame } = await import(script);
    const iframe = document.querySelector('iframe');
    iframe.src = url;
    const simulator = createSimulatorFrame(iframe);
    await simulator.ready;
    return simulator.setHeading(1, 2);
  }, addresses);
  await browser.close();
}
const { actions } = ready.capabilities;
const described = JSON.stringify(api.components.schemas.SetHeadingInteraction).includes('Turn the device by its sensors');
console.log(JSON.stringify({ rest, sdk, refused, socket, command: JSON.parse(command.stdout), embed, actions, described }));
await server.close();
site.close();
`;

const TYPED = `
import { RunCloud } from '../client/sdk/index.ts';
import type { SimulatorFrame } from '../client/embed/index.ts';

export const session = new RunCloud().session({ id: 'ses_1', platform: 'ios' });
await session.setHeading(1, 2, { timeoutMs: 500 });
await session.interact({ action: 'setHeading', pitch: 1, azimuth: 2 });
export const embedded = async (frame: SimulatorFrame): Promise<string> => (await frame.setHeading(1, 2)).status;
// @ts-expect-error a heading has two numbers
await session.setHeading(1);
`;

/** A copy of the sources, with the project's packages. */
function copyOfSources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'runcloud-new-action-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['protocol', 'server', 'client', 'test/support', 'test/protocol', 'test/vectors']) {
    cpSync(name, join(folder, name), { recursive: true });
  }
  for (const name of ['package.json', 'tsconfig.json', 'README.md']) cpSync(name, join(folder, name));
  mkdirSync(join(folder, 'node_modules/@runcloud'), { recursive: true });
  for (const name of readdirSync('node_modules').filter((name) => name !== '@runcloud')) {
    symlinkSync(join(process.cwd(), 'node_modules', name), join(folder, 'node_modules', name));
  }
  for (const name of ['protocol', 'server']) {
    symlinkSync(join(folder, name), join(folder, 'node_modules/@runcloud', name));
  }
  return folder;
}

function change(folder: string, changes: typeof BEFORE): void {
  for (const [file, additions] of Object.entries(changes)) {
    let text = readFileSync(join(folder, file), 'utf8');
    for (const [before, added] of additions) {
      if (!text.includes(before)) throw new Error(`${file} has no "${before}"`);
      text = text.replace(before, () => added + before);
    }
    writeFileSync(join(folder, file), text);
  }
}

const folder = copyOfSources();
writeFileSync(join(folder, 'protocol/actions/set-heading.ts'), VALUE);
change(folder, BEFORE);

const run = (file: string, ...args: readonly string[]) =>
  execute(process.execPath, ['--import=tsx', file, ...args], { cwd: folder, maxBuffer: 16 * 1_048_576 });
/** Runs a test file of the copy; resolves with its output and whether it passes. */
const proven = (file: string) =>
  run(file).then(
    ({ stdout }) => ({ passes: true, stdout }),
    ({ stdout }: { readonly stdout: string }) => ({ passes: false, stdout }),
  );

t.test('a new action of one value and one handler can be asked for in every way', async (t) => {
  writeFileSync(join(folder, 'test/program.ts'), PROGRAM);
  const { stdout } = await run('test/program.ts', withoutBrowser ? '' : 'with browser');
  const told = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  const completed = { action: 'setHeading', status: 'completed', result: { pitch: 1, azimuth: 2 } };
  for (const way of ['rest', 'sdk', 'socket', 'command']) t.match(told[way], completed, way);
  if (!withoutBrowser) t.match(told.embed, completed, 'embed');
  t.equal(told.socket.requestId, 'mine');
  t.match(told.refused, /^RangeError: "pitch" must be a number from -90 to 90/);
  t.ok(told.actions.includes('setHeading'), 'the device says that it has it');
  t.ok(told.described, 'OpenAPI describes it');
});

t.test('its types follow, and those of what it needs', async (t) => {
  writeFileSync(join(folder, 'test/typed.ts'), TYPED);
  const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8'));
  writeFileSync(join(folder, 'typed.json'), JSON.stringify({ compilerOptions, files: ['test/typed.ts'] }));
  const refused = await execute(await compilerProgram(), ['--project', join(folder, 'typed.json')]).catch(
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
  t.match(refused, { stdout: '' });
});

t.test('the documents and vectors that lack it are named by tests, and few files are touched', async (t) => {
  const [documents, vectors] = await Promise.all(
    ['readme', 'vectors'].map((n) => proven(`test/protocol/${n}.test.ts`)),
  );
  t.match(documents, { passes: false, stdout: /setHeading/ });
  t.match(vectors, { passes: false, stdout: /"setHeading" has none, as {.*"hex":"/ });
  change(folder, DOCUMENTED);
  t.match(await proven('test/protocol/readme.test.ts'), { passes: true });
  t.ok(TOUCHED.length <= 10 && TOUCHED_TESTS.length <= 5);
  const fresh = [...TOUCHED, ...TOUCHED_TESTS].filter((file) => !existsSync(file));
  t.equal(fresh.length, 3, 'its value and two tests are new; everything else is there');
});
