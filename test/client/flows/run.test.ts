import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { RunCloud } from '../../../client/sdk/index.ts';
import type { SessionHandle } from '../../../client/sdk/session.ts';
import { commandLine, failureOf } from '../../support/command-line.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });

/** Runs flows on a new phone, which is given to `before`. */
async function run(
  t: Pick<typeof import('tap').t, 'testdir'>,
  files: Parameters<typeof t.testdir>[0],
  args: readonly string[],
  { platform = 'ios', ...options }: { readonly platform?: 'ios' | 'android'; readonly isTerminal?: boolean } = {},
) {
  const phone = await cloud.sessions.create({ platform });
  const folder = t.testdir(files);
  const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url, RUNCLOUD_SESSION: phone.id };
  const output = join(folder, 'output');
  const all = ['flow', 'run', ...args.map((arg) => arg.replace('./', `${folder}/`)), '--output', output];
  const finished = await commandLine(all, { env, stateFolder: join(folder, 'state'), ...options });
  await phone.delete();
  return { ...finished, folder, output, phone };
}

async function actionsOf(phone: SessionHandle): Promise<readonly string[]> {
  const actions: string[] = [];
  for await (const { action } of phone.history()) actions.push(action);
  return actions;
}

const NOTES = `
appId: notes
name: Notes keep what is typed
tags: [smoke]
---
- launchApp
- assertVisible: Notes
- inputText: \${TEXT}
- assertVisible: \\d+ characters
- copyTextFrom:
    text: Note
- eraseText
- assertVisible: 0 characters
- pasteText
- assertVisible:
    text: \${TEXT}
    focused: true
- repeat:
    times: 2
    commands:
      - inputText: ä
- assertVisible: \${TEXT}ää
- runFlow:
    when:
      visible: Never there
    commands:
      - tapOn: Never there
- takeScreenshot: typed
- pressKey: Home
- assertNotVisible: .* characters
- tapOn: Settings
- scrollUntilVisible:
    element: System
- assertVisible:
    text: System
    below: Model
- scrollUntilVisible:
    element: Dark mode
    direction: UP
- tapOn:
    text: Dark mode
- assertVisible:
    text: Dark mode
    checked: true
- swipe:
    start: 50%,80%
    end: 50%,30%
- setOrientation: LANDSCAPE_LEFT
- waitForAnimationToEnd
- setOrientation: PORTRAIT
- stopApp: settings
- assertVisible: Touch Lab
- doubleTapOn: Touch Lab
- extendedWaitUntil:
    visible: Every pixel of this screen is yours
    timeout: 20000
- longPressOn:
    point: 50%,50%
- assertVisible: .*press.*
`;

for (const platform of ['ios', 'android'] as const) {
  t.test(`a flow passes on a phone (${platform})`, async (t) => {
    const args = ['./notes.yaml', '--env', 'TEXT=Milk and bread'];
    const { code, stdout, stderr, output } = await run(t, { 'notes.yaml': NOTES }, args, { platform });
    t.equal(code, 0, `${stdout}\n${stderr}`);
    t.match(stdout, /notes\.yaml:6:3 launchApp "notes" passed in \d+ ms\n/);
    t.match(stdout, /^1 of 1 flows passed\n$/m);
    t.notMatch(stdout, /Milk/, 'the value of a variable is not told');
    t.same(readFileSync(join(output, 'Notes-keep-what-is-typed/typed.png')).subarray(1, 4).toString(), 'PNG');
  });
}

t.test('a failure says where, and keeps the tree, a picture and the recording', async (t) => {
  const files = {
    'broken.yaml': 'appId: notes\nname: Broken <1>\n---\n- launchApp\n- runFlow: inner.yaml\n- tapOn: Never reached\n',
    'inner.yaml': 'appId: notes\n---\n- tapOn: Note\n- assertVisible: 12 characters\n',
  };
  const { code, stdout, stderr, output } = await run(t, files, ['./broken.yaml', '--wait', '300ms', '--record']);
  t.equal(code, 1);
  t.equal(stderr, '');
  t.match(stdout, /inner\.yaml:4:3 assertVisible "12 characters" failed in \d+ ms\n/);
  t.match(stdout, /inner\.yaml:4:3: There is no "12 characters" on the screen\.\n/);
  t.match(stdout, /recording rec_\w+ at 0:0\d\.\d\n/);
  t.match(stdout, /broken\.yaml "Broken <1>" failed in \d+ ms\n0 of 1 flows passed\n$/);
  t.notMatch(stdout, /Never reached/);
  const folder = join(output, 'Broken-1-');
  t.same(readdirSync(folder).sort(), ['recording.mp4', 'screen.png', 'screen.txt']);
  t.match(readFileSync(join(folder, 'screen.txt'), 'utf8'), /text "0 characters"\n/);
  t.equal(readFileSync(join(folder, 'recording.mp4')).subarray(4, 8).toString(), 'ftyp');
});

t.test('a selector that several elements fit stops the flow, with the candidates', async (t) => {
  const flow = (selector: string) => `appId: settings\n---\n- launchApp\n- tapOn: ${selector}\n`;
  const several = await run(t, { 'a.yaml': flow('"(Blended|Copied).*"') }, ['./a.yaml']);
  t.equal(several.code, 1);
  t.match(
    several.stdout,
    /a\.yaml:4:3: 2 elements fit "\(Blended\|Copied\)\.\*": switch "Blended layers" @\d+, switch "Copied images" @\d+\./,
  );
  const first = await run(t, { 'a.yaml': flow('{ text: "(Blended|Copied).*", index: 0 }') }, ['./a.yaml']);
  t.equal(first.code, 0, first.stdout);
});

t.test('a text is the whole of a name or a value, whatever the case of its letters', async (t) => {
  const flow = (text: string) => `appId: notes\n---\n- launchApp\n- assertVisible: "${text}"\n`;
  for (const text of ['NOTES', '0 char.*', 'Note|Something']) {
    const { code, stdout } = await run(t, { 'a.yaml': flow(text) }, ['./a.yaml', '--wait', '1s']);
    t.equal(code, 0, stdout);
  }
  const { code, stdout } = await run(t, { 'a.yaml': flow('characters') }, ['./a.yaml', '--wait', '200ms']);
  t.equal(code, 1);
  t.match(stdout, /It is a part of: text "0 characters"\. A text must be the whole, such as "\.\*characters\.\*"\./);
});

t.test('flows are chosen by tags, and one that fails does not stop the others', async (t) => {
  const flow = (tag: string, text: string) =>
    `appId: notes\ntags: [${tag}]\n---\n- launchApp\n- assertVisible: ${text}\n`;
  const files = {
    flows: {
      'a.yaml': flow('one', 'Never there'),
      'b.yml': flow('one', 'Notes'),
      'c.yaml': flow('two', 'Notes'),
      'config.yaml': 'flows: ["*"]\n',
      'notes.txt': 'no flow',
    },
  };
  const args = ['./flows', '--wait', '200ms', '--include-tags', 'one,three', '--json'];
  const { code, stdout } = await run(t, files, args);
  t.equal(code, 1);
  const told = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.match(told, [
    { command: 'launchApp', status: 'passed', line: 4, depth: 0 },
    { command: 'assertVisible', status: 'failed', line: 5, message: /There is no/ },
    { name: 'a', status: 'failed', failure: { line: 5, column: 3, command: 'assertVisible', files: [String, String] } },
    { command: 'launchApp', status: 'passed' },
    { command: 'assertVisible', status: 'passed' },
    { name: 'b', status: 'passed' },
    { passed: 1, failed: 1 },
  ]);
  t.equal((await run(t, files, ['./flows', '--exclude-tags', 'one'])).code, 0);
  const none = await run(t, files, ['./flows', '--include-tags', 'four']);
  t.equal(none.code, 2);
  t.match(failureOf(none).error, { message: 'No flow has such tags.' });
});

t.test('what is wrong in any flow is told before the first input', async (t) => {
  const files = {
    flows: {
      'a.yaml': 'appId: notes\n---\n- launchApp\n',
      'b.yaml': 'appId: notes\n---\n- launchApp\n- taponn: Save\n- evalScript: output.x\n',
    },
  };
  const { code, stdout, stderr, phone } = await run(t, files, ['./flows']);
  t.equal(code, 2);
  t.equal(stdout, '');
  t.match(JSON.parse(stderr), {
    error: { code: 'invalid_request', message: /b\.yaml:4:3: There is no command "taponn"\. Did you mean "tapOn"\?$/ },
    faults: [
      { line: 4, column: 3 },
      { line: 5, column: 3, message: '"evalScript" is not supported: JavaScript is not run.' },
    ],
  });
  t.same(await actionsOf(phone), []);
  const person = await run(t, files, ['./flows'], { isTerminal: true });
  t.match(person.stderr, /b\.yaml:5:3: "evalScript" is not supported/);
});

t.test('a flow that cannot be run has an exit code of its own', async (t) => {
  const folder = t.testdir({ 'a.yaml': 'appId: notes\n---\n- launchApp\n' });
  const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url };
  const call = (...args: readonly string[]) => commandLine(['flow', 'run', ...args], { env, stateFolder: folder });
  const ended = await cloud.sessions.create({ platform: 'ios' });
  await ended.delete();
  const gone = await call(join(folder, 'a.yaml'), '--session', ended.id);
  t.equal(gone.code, 2);
  t.match(failureOf(gone).error, { code: 'active_session_not_found' });
  const live = await cloud.sessions.create({ platform: 'ios' });
  for (const [args, sentence] of [
    [['never-there.yaml'], /ENOENT/],
    [[join(folder, 'a.yaml'), '--wait', '2h'], /"--wait" must be 0 to 60s/],
    [[join(folder, 'a.yaml'), '--env', 'A'], /must be written as name=value/],
  ] as const) {
    const refused = await call(...args, '--session', live.id);
    t.equal(refused.code, 2);
    t.match(failureOf(refused).error, { message: sentence });
  }
});

t.test('commands that go on are bounded, and what is optional or tried again fails nothing', async (t) => {
  const flow = `
appId: notes
onFlowComplete:
  - stopApp
---
- launchApp
- tapOn:
    text: Never there
    optional: true
- retry:
    maxRetries: 3
    commands:
      - inputText: x
      - assertVisible: xxx
- repeat:
    while:
      notVisible: xxxxx
    commands:
      - inputText: x
- assertVisible: Never there either
`;
  const { code, stdout, phone } = await run(t, { 'a.yaml': flow }, ['./a.yaml', '--wait', '200ms']);
  t.equal(code, 1);
  t.match(stdout, /a\.yaml:7:3 tapOn "Never there" warned in \d+ ms: There is no/);
  t.equal(stdout.match(/inputText "x" passed/g)?.length, 5);
  t.match(stdout, /a\.yaml:20:3: There is no "Never there either"/);
  const actions = await actionsOf(phone);
  t.equal(
    actions.filter((action) => action !== 'screenshot').at(-1),
    'terminateApp',
    'what ends a flow comes after a failure too',
  );
});

t.test('an interrupt ends a flow at once', async (t) => {
  const phone = await cloud.sessions.create({ platform: 'ios' });
  const folder = t.testdir({ 'a.yaml': 'appId: notes\n---\n- launchApp\n- assertVisible: Never there\n' });
  const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url, RUNCLOUD_SESSION: phone.id };
  const interrupt = new AbortController();
  const onOutput = (stdout: string) => stdout.includes('launchApp') && interrupt.abort();
  const args = ['flow', 'run', join(folder, 'a.yaml'), '--wait', '60s', '--output', join(folder, 'output')];
  const { code } = await commandLine(args, { env, stateFolder: folder, interrupt: interrupt.signal, onOutput });
  t.equal(code, 130);
  t.notOk(existsSync(join(folder, 'output')), 'nothing is kept of it');
});
