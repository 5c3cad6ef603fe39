import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryEntry, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { commandLine, failureOf } from '../../support/command-line.ts';
import { awayFromMinuteEdge } from '../../support/minute-edge.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
const stateFolder = mkdtempSync(join(tmpdir(), 'runcloud-history-'));
t.teardown(async () => {
  await server.close();
  rmSync(stateFolder, { recursive: true });
});
const { rest } = server;
const env = { RUNCLOUD_BASE_URL: server.url, RUNCLOUD_API_KEY: TEST_KEY };

const command = (args: readonly string[], more: Partial<Parameters<typeof commandLine>[1]> = {}) =>
  commandLine(args, { env, stateFolder, ...more });

const entriesIn = (text: string): HistoryEntry[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as HistoryEntry);

/** A picture of the display that stands still. */
async function stillOf({ platform, id }: SessionRecord): Promise<Buffer> {
  const response = await rest.fetch(`/service/${platform}/${id}/screenshot?settled=true`);
  return Buffer.from(await response.arrayBuffer());
}

const tap = (x: number, y: number) => ({ action: 'tap', x, y });

t.test('what was done is printed, as lines for people and for programs', async (t) => {
  const session = await rest.createSession('ios');
  await rest.interact(session, { ...tap(0.5, 0.25), requestId: 'first' });
  await rest.interact(session, { action: 'typeText', text: 'secret', requestId: 'second' });
  const args = ['history', '--session', session.id];
  const plain = await command(args);
  t.match(plain.stdout, /^1 \S+Z first tap 0\.5,0\.25 completed in \d+ ms\n2 \S+Z second typeText textCharacters 6 /);
  const people = await command(args, { isTerminal: true });
  t.match(people.stdout, /1.*tap.*0\.5,0\.25.*completed/);
  const json = await command([...args, '--json', '--after', '1', '--limit', '5']);
  t.match(entriesIn(json.stdout), [{ seq: 2, action: 'typeText', fields: { textCharacters: 6 } }]);
  for (const wrong of [
    ['--after', '-1'],
    ['--limit', '0'],
    ['--limit', 'many'],
  ]) {
    const refused = await command([...args, ...wrong]);
    t.match([refused.code, failureOf(refused).error.code], [2, 'invalid_request'], wrong.join(' '));
  }
  await rest.releaseSession(session.id);
});

t.test('a follower gets what is done later, each with its outcome, and ends with the session', async (t) => {
  const session = await rest.createSession('ios');
  await rest.interact(session, { ...tap(0.5, 0.5), requestId: 'before' });
  let told = '';
  const following = command(['history', '--session', session.id, '--follow', '--json'], {
    onOutput: (stdout) => {
      told = stdout;
    },
  });
  while (!told.includes('before')) await new Promise((resolve) => setTimeout(resolve, 20));
  await rest.interact(session, {
    action: 'swipe',
    from: { x: 0.5, y: 0.8 },
    to: { x: 0.5, y: 0.2 },
    requestId: 'later',
  });
  await rest.releaseSession(session.id);
  const { code, stdout } = await following;
  t.equal(code, 0);
  t.same(
    entriesIn(stdout).map(({ requestId, status }) => [requestId, status]),
    [
      ['before', 'completed'],
      ['later', 'completed'],
    ],
  );
});

t.test('a history is replayed from a session and from a file, to the same picture', async (t) => {
  const [source, one, other] = [
    await rest.createSession('ios', { historyTexts: 'full' }),
    await rest.createSession('ios'),
    await rest.createSession('ios'),
  ];
  const fresh = await stillOf(source);
  for (const input of [
    tap(0.39, 0.92),
    { action: 'swipe', from: { x: 0.5, y: 0.7 }, to: { x: 0.5, y: 0.3 }, durationMs: 200 },
    tap(0.5, 0.6),
    { action: 'typeText', text: 'Replayed' },
  ]) {
    t.equal((await rest.interact(source, input)).body.ok, true);
  }
  const direct = await command(['replay', source.id, '--session', one.id, '--speed', 'max']);
  t.match([direct.code, direct.stdout], [0, /^replayed 4 inputs in .* s; 0 ended otherwise\n$/]);
  const { stdout } = await command(['history', '--session', source.id, '--json']);
  const file = join(stateFolder, 'history.ndjson');
  writeFileSync(file, stdout);
  const fromFile = await command(['replay', file, '--session', other.id, '--json', '--settle']);
  t.equal(fromFile.code, 0);
  const lines = fromFile.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.match(lines[3], { sessionId: other.id, seq: 4, action: 'typeText', status: 'completed' });
  t.same(lines.at(-1), { replayed: 4, differences: 0 });
  await awayFromMinuteEdge();
  const wanted = await stillOf(source);
  t.notOk(wanted.equals(fresh), 'the inputs change the picture');
  t.ok((await stillOf(one)).equals(wanted), 'from the session');
  t.ok((await stillOf(other)).equals(wanted), 'from a file');
  for (const { id } of [source, one, other]) await rest.releaseSession(id);
});

t.test('an input that ends otherwise, and one whose text was not kept, is told; the exit code says so', async (t) => {
  const [ios, android] = [await rest.createSession('ios'), await rest.createSession('android')];
  await rest.interact(ios, { action: 'pressButton', button: 'home' });
  await rest.interact(ios, { action: 'pressButton', button: 'actionButton' });
  await rest.interact(ios, { action: 'typeText', text: 'secret' });
  const { code, stdout } = await command(['replay', ios.id, '--session', android.id, '--speed', 'max']);
  t.equal(code, 1);
  const [button = '', text = '', summary = ''] = stdout.split('\n');
  t.match(button, /^2 \S+ pressButton: completed there, failed \(unsupported_action\) here$/);
  t.match(text, /^3 \S+ typeText: the history has the length of its text alone/);
  t.match(summary, /^replayed 3 inputs in .* s; 2 ended otherwise$/);
  for (const { id } of [ios, android]) await rest.releaseSession(id);
});

t.test('what is no history is refused by its line, and a session is not replayed into itself', async (t) => {
  const session = await rest.createSession('ios');
  const args = ['replay', '-', '--session', session.id];
  for (const [stdin, message] of [
    ['nonsense\n', /Line 1 is not JSON/],
    ['\n{"seq":1}\n', /Line 2 is no entry of a history: .*requestId/],
  ] as const) {
    const refused = await command(args, { stdin });
    t.match([refused.code, failureOf(refused).error], [2, { message }]);
  }
  const itself = await command(['replay', session.id, '--session', session.id]);
  t.match([itself.code, failureOf(itself).error], [2, { message: /into itself/ }]);
  const none = await command(['replay', join(stateFolder, 'none.ndjson'), '--session', session.id]);
  t.match([none.code, failureOf(none).error], [1, { code: 'file_error', message: /none\.ndjson/ }]);
  const speed = await command([...args, '--speed', '0']);
  t.match([speed.code, failureOf(speed).error], [2, { message: /--speed/ }]);
  await rest.releaseSession(session.id);
});
