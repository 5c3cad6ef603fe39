import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { RunCloud } from '../../../client/sdk/index.ts';
import { commandLine, failureOf } from '../../support/command-line.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });
const folder = t.testdir({ 'there.yaml': 'mine' });
const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url };
type Options = Partial<Parameters<typeof commandLine>[1]>;
const call = (args: readonly string[], options: Options = {}) =>
  commandLine(args, { env, stateFolder: join(folder, 'state'), ...options });

t.test('a flow is made of a session, also after its end, or of a file with its history', async (t) => {
  const session = await cloud.sessions.create({ platform: 'ios', historyElements: true });
  const { element } = await session.check({ target: { text: 'Notes' } });
  const { x = 0, y = 0, width = 0, height = 0 } = element?.frame ?? {};
  await session.tap(x + width / 2, y + height / 2);
  await session.waitFor({ idle: true });
  await session.typeText('secret');
  const live = await call(['flow', 'capture', session.id]);
  t.equal(live.code, 0);
  t.match(
    live.stdout,
    /^appId: unknown\nname: Captured from ses_\w+\n---\n- pressKey: Home # .*\n- tapOn: # button "Notes" by its id\n {4}id: home\\\.notes\n- assertVisible: Notes # Notes has come to the front\n- inputText: \$\{TEXT_1\} # /,
  );
  t.match(live.stderr, /^-: a flow of 2 inputs, 1 by name\n.*--env TEXT_1=\.\.\.\.\n$/);
  await session.delete();
  const history = await call(['history', '--session', session.id, '--json']);
  const piped = await call(['flow', 'capture', '-', '--name', 'Piped', '--json'], { stdin: history.stdout });
  t.match(piped.stdout, /^appId: unknown\nname: Piped\n---\n/);
  t.match(JSON.parse(piped.stderr), {
    ok: true,
    path: '-',
    inputs: 2,
    byName: 1,
    byPlace: 0,
    leftOut: [],
    texts: ['TEXT_1'],
  });
  const file = join(folder, 'after.yaml');
  const after = await call(['flow', 'capture', session.id, '-o', file]);
  t.equal(after.code, 0);
  t.match(readFileSync(file, 'utf8'), /id: home\\\.notes/);

  const phone = await cloud.sessions.create({ platform: 'android' });
  const again = ['flow', 'run', file, '--session', phone.id, '--output', join(folder, 'output')];
  t.match(failureOf(await call(again)).error, {
    message: /There is no variable TEXT_1: give it with "--env TEXT_1=\.\.\."/,
  });
  const passed = await call([...again, '--env', 'TEXT_1=mine']);
  t.equal(passed.code, 0, passed.stdout);
  t.ok((await phone.check({ target: { text: 'Note' }, value: 'mine' })).holds);
});

t.test('a live capture has what is done until Ctrl-C', async (t) => {
  const session = await cloud.sessions.create({ platform: 'android', historyElements: true, historyTexts: 'full' });
  await session.pressButton('volumeUp');
  const interrupt = new AbortController();
  const file = join(folder, 'live.yaml');
  const args = ['flow', 'capture', session.id, '--live', '-o', file];
  let capturing: ReturnType<typeof call> | undefined;
  await new Promise<void>((begun) => {
    const onErrorOutput = (stderr: string) => stderr.includes('What is done now becomes the flow') && begun();
    capturing = call(args, { interrupt: interrupt.signal, onErrorOutput });
  });
  await session.launchApp('notes');
  await session.typeText('now');
  interrupt.abort();
  const { code, stderr } = await (capturing as ReturnType<typeof call>);
  t.equal(code, 0, stderr);
  t.match(stderr, /live\.yaml: a flow of 2 inputs|^What/);
  const text = readFileSync(file, 'utf8');
  t.notMatch(text, /Volume/);
  t.match(text, /^appId: notes$/m);
  t.match(text, /- launchApp:\n {4}appId: notes\n {4}stopApp: false\n/);
  t.match(text, /- inputText: now\n/);
});

t.test('what cannot be captured is refused', async (t) => {
  for (const [args, sentence] of [
    [[], /There is no session yet/],
    [['never-there.ndjson'], /ENOENT/],
    [['history.ndjson', '--live'], /--live.* is for a session/],
    [['ses_4kZ1bQx7RmT9vLs2WcHn0e', '-o', join(folder, 'there.yaml')], /is there already; --force overwrites it/],
  ] as const) {
    const { code, stderr } = await call(['flow', 'capture', ...args], { stateFolder: join(folder, 'none') });
    t.not(code, 0);
    t.match(stderr, sentence);
  }
});
