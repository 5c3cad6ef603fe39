import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { failureOf } from '../../support/command-line.ts';
import { decodePng } from '../../support/picture.ts';
import { answerJson, startScriptedHttp } from '../../support/scripted-http.ts';
import { startServer } from '../../support/server.ts';
import { sharedCommands } from '../../support/shared-commands.ts';

const server = await startServer();
t.teardown(() => server.close());
const commands = (t: Test) => sharedCommands(t, server.url);

t.test('every interaction has a command, which says what was acknowledged', async (t) => {
  const { json, run, folder, all } = commands(t);
  const session = await json('session', 'create', 'ios', '--label', 'build=7');
  t.match(session, { platform: 'ios', status: 'active', labels: { build: '7' } });
  const steps = [
    { phase: 'begin', points: [{ x: 0.5, y: 0.5 }] },
    { phase: 'end', points: [{ x: 0.5, y: 0.6 }] },
  ];
  const file = join(folder, 'steps.json');
  writeFileSync(file, JSON.stringify(steps));
  const route = join(folder, 'route.json');
  const points = [52, 52.01].map((latitude) => ({ latitude, longitude: 13 }));
  writeFileSync(route, JSON.stringify(points));
  const cases: readonly [readonly string[], string, object][] = [
    [['reset'], 'resetDevice', {}],
    [['tap', '0.39', '0.92'], 'tap', { pointCount: 1 }],
    [['tap', '--on', 'note', '--role', 'textfield'], 'tapElement', { pointCount: 1, frame: Number }],
    [['type', 'Hello', '--into', 'Note'], 'typeText', { characterCount: 5, frame: Number }],
    [['swipe', '0.5,0.6', '0.5,0.5', '--duration', '60ms'], 'swipe', { durationMs: 60 }],
    [['gesture', file], 'gesture', { dispatchedSteps: 2 }],
    [['type', 'Hello'], 'typeText', { characterCount: 5 }],
    [['insert', 'Grüße 你好 😀'], 'insertText', { characterCount: 10 }],
    [['key', 'a', '-m', 'shift,alt', '--duration', '60'], 'pressKey', { modifiers: ['shift', 'alt'], durationMs: 60 }],
    [['key', 'b', '-m', 'shift', '-m', 'meta'], 'pressKey', { modifiers: ['shift', 'meta'] }],
    [['button', 'volumeUp', '--duration', '60'], 'pressButton', { durationMs: 60 }],
    [['rotate', 'landscape_left'], 'rotate', { orientation: 'landscape_left' }],
    [['rotate', 'portrait'], 'rotate', { orientation: 'portrait' }],
    [['reload'], 'reload', {}],
    [['scroll', '0', '-0.5', '--at', '0.5,0.3'], 'scroll', { deltaY: -0.5 }],
    [['scroll', '-0.5', '0'], 'scroll', { deltaX: -0.5 }],
    [['scroll', '--to', 'note', '--role', 'textfield'], 'scrollTo', { deltaX: 0, deltaY: 0, frame: Number }],
    [['keyboard'], 'toggleSoftwareKeyboard', {}],
    [['memory-warning'], 'simulateMemoryWarning', {}],
    [['launch', 'notes', '--argument', 'a=b=c', '-a', 'mode=-x'], 'launchApp', { app: 'notes', state: 'front' }],
    [['launch', 'browser', '--url', 'https://example.com/'], 'launchApp', { app: 'browser', state: 'front' }],
    [['apps'], 'listApps', { apps: [{ app: 'browser', kind: 'system', state: 'front' }] }],
    [['clear-data', 'notes'], 'clearAppData', { app: 'notes' }],
    [['terminate', 'browser'], 'terminateApp', { app: 'browser', state: 'stopped' }],
    [
      ['location', '-33.86', '151.21', '--altitude', '58'],
      'setLocation',
      { location: { latitude: -33.86, altitudeM: 58 } },
    ],
    [
      ['configure', '--appearance', 'dark', '--animations', 'off'],
      'configureDevice',
      { appearance: 'dark', animations: false },
    ],
    [
      ['configure', '--appearance', 'light', '--animations', 'on'],
      'configureDevice',
      { appearance: 'light', animations: true },
    ],
    [['route', route, '0.5'], 'followRoute', { route: { state: 'moving', doneM: 0, speedMPerS: 0.5 } }],
    [['where'], 'readLocation', { location: { longitude: 13 }, route: { lengthM: 1111.95 } }],
    [['clear-location'], 'clearLocation', { readBack: true }],
    [['where'], 'readLocation', { readBack: true }],
    [['render-debug', 'slowAnimations', 'on'], 'setRenderDebug', { enabled: true }],
    [['render-debug', 'slowAnimations', 'off', '--request-id', 'mine'], 'setRenderDebug', { enabled: false }],
  ];
  for (const [args, action, result] of cases) {
    const acknowledgement = await json(...args);
    t.match({ result: {}, ...acknowledgement }, { ok: true, action, status: 'completed', result }, args.join(' '));
  }
  const listed = await run(['apps']);
  t.match(listed, {
    code: 0,
    stdout: /^browser {2}stopped {2}Browser\n.*\ntouch-lab {2}stopped {2}Touch Lab\n$/s,
    stderr: '',
  });
  for (const [args, said] of [
    [['tap'], /Give a position, x and y, or an element/],
    [['tap', '0.5'], /Give a position, x and y/],
    [['tap', '0.5', '0.5', '--on', 'Note'], /not both/],
    [['tap', '0.5', '0.5', '--wait', '1s'], /is for an element/],
    [['tap', '--ref', '2'], /target.frame.* is required where ref is given/],
    [['tap', '--near', 'Note'], /one of .*text.*, .*id.* and .*role/],
    [['tap', '--on', 'Note', '--index', 'first'], /target.index.* must be a whole number/],
  ] as const) {
    t.match(await run([...args]), { code: 2, stdout: '', stderr: said });
  }
  const unpaired = await run(['launch', 'notes', '--argument', 'verbose']);
  t.match(unpaired, { code: 2, stdout: '', stderr: /verbose.*must be written as name=value/ });
  const piped = await run(['gesture', '-', '--timeout', '5s'], { stdin: JSON.stringify(steps) });
  t.match(piped, { code: 0, stdout: /^gesture completed in \d+ ms\n$/, stderr: '' });
  t.match(await server.inspect('ios', session.id), {
    memoryWarnings: 1,
    orientation: 'portrait',
    renderOptions: { length: 0 },
  });
  t.notMatch(all.join(''), /token=|a-key-that-only/, 'neither key nor signed address was printed');
});

t.test('the clipboard is written from an argument or standard input, and printed as it is', async (t) => {
  const { json, run, env } = commands(t);
  await json('session', 'create', 'ios');
  const text = ' Grüße "$HOME" \u{1b}[31m 😀\r\n\n';
  t.strictSame(await json('clipboard', 'set', text), { text });
  t.strictSame(await json('clipboard', 'get'), { text });
  t.match(await run(['clipboard', 'get']), { code: 0, stdout: text, stderr: '' }, 'a pipe gets the very text');
  t.match(await run(['clipboard', 'set'], { stdin: `${text}from a pipe\n` }), {
    code: 0,
    stdout: 'The clipboard holds 37 characters\n',
    stderr: '',
  });
  t.equal((await run(['clipboard', 'get'])).stdout, `${text}from a pipe\n`);
  t.equal(
    (await run(['clipboard', 'get'], { isTerminal: true, env: { ...env, NO_COLOR: '1' } })).stdout,
    '│  Grüße "$HOME" \\u{1b}[31m 😀\\u{d}\n│ \n│ from a pipe\n│ \n',
    'a terminal obeys none of it',
  );
  t.match(await run(['clipboard', 'set', '']), { stdout: 'The clipboard holds 0 characters\n' });
  t.match(await run(['clipboard', 'get']), { code: 0, stdout: '' });
  t.match(await run(['clipboard', 'set', '-']), { stdout: 'The clipboard holds 1 character\n' });
  const unread: readonly (readonly [Readable | string, RegExp])[] = [
    [Readable.from([Buffer.from([0x61, 0xff])]), /no text in UTF-8/],
    ['a'.repeat(10_001), /0 to 10000/],
    [Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(1_024, 'a'))), /longer than 10,000 characters/],
    [Object.assign(Readable.from([]), { isTTY: true }), /lead it to standard input/],
  ];
  for (const [stdin, message] of unread) {
    const refused = await run(['clipboard', 'set'], { stdin });
    t.match([refused.code, failureOf(refused)], [2, { error: { code: 'invalid_request', message } }]);
  }
  t.strictSame(await json('clipboard', 'get'), { text: '-' });
});

t.test(
  'what the clipboard holds of a longer text is told beside it, and so is another text than the one written',
  async (t) => {
    const service = await startScriptedHttp(t, ({ path }, response) =>
      answerJson(
        response,
        200,
        path.endsWith('/clipboard') ? { text: 'other', truncated: true } : { id: 'ses_1', platform: 'ios' },
      ),
    );
    const { run, env } = commands(t);
    const there = { env: { ...env, RUNCLOUD_BASE_URL: service.url, RUNCLOUD_SESSION: 'ses_1' } };
    t.match(await run(['clipboard', 'get'], there), { code: 0, stdout: 'other', stderr: /holds more/ });
    t.match(await run(['clipboard', 'set', 'mine'], there), {
      code: 0,
      stdout: /another text than this one, of 5 characters/,
    });
  },
);

t.test('an interrupt ends the wait for standard input, and nothing is written', async (t) => {
  const { json, run } = commands(t);
  await json('session', 'create', 'ios');
  const controller = new AbortController();
  const finished = run(['clipboard', 'set'], { stdin: new Readable({ read() {} }), interrupt: controller.signal });
  setTimeout(() => controller.abort(), 50);
  t.match([(await finished).code, failureOf(await finished)], [130, { status: 'cancelled' }]);
  t.strictSame(await json('clipboard', 'get'), { text: '' });
});

t.test('sessions are created, shown, listed, chosen and released; the last one is remembered', async (t) => {
  const { json, run, env } = commands(t);
  const first = await json('session', 'create', 'ios');
  const second = await json('session', 'create', 'android', '--inactivity-timeout', '5m', '--hard-timeout', '1h');
  t.match(second, { inactivityTimeoutMs: 300_000, hardTimeoutMs: 3_600_000 });
  t.equal((await json('session', 'get')).id, second.id);
  t.equal((await json('tap', '0.5', '0.5')).sessionId, second.id);
  t.equal((await json('session', 'use', first.id)).id, first.id);
  t.equal((await json('tap', '0.5', '0.5')).sessionId, first.id);
  t.equal((await json('tap', '0.5', '0.5', '--session', second.id)).sessionId, second.id);
  const named = await run(['tap', '0.5', '0.5', '--json'], { env: { ...env, RUNCLOUD_SESSION: second.id } });
  t.equal(JSON.parse(named.stdout).sessionId, second.id, 'the environment goes before what is remembered');
  const { sessions } = await json('session', 'list', '--status', 'active', '--platform', 'android');
  t.same(
    sessions.map(({ id }: { id: string }) => id),
    [second.id],
  );
  t.match((await run(['session', 'list'])).stdout, new RegExp(`^${second.id}  android  active  Virtual`));
  t.equal((await json('session', 'delete', second.id)).status, 'released');
  t.equal((await json('session', 'delete')).id, first.id, 'the remembered one');
  t.match(failureOf(await run(['tap', '0.5', '0.5'])), {
    error: { code: 'invalid_request', message: /no session yet/ },
  });
  t.match((await run(['session', 'list', '--status', 'starting'])).stdout, 'no sessions\n');
});

t.test('a screenshot goes to a file that is whole or not there, or to standard output', async (t) => {
  const { json, run, folder } = commands(t);
  await json('session', 'create', 'ios');
  const path = join(folder, 'shot.png');
  const result = await json('screenshot', '-o', path);
  t.match(result, { ok: true, path, contentType: 'image/png', action: 'screenshot' });
  const png = readFileSync(path);
  t.equal(result.byteSize, png.length);
  t.equal((await decodePng(png)).width, 590);
  const again = await run(['screenshot', '-o', path]);
  t.match([again.code, failureOf(again)], [2, { error: { code: 'invalid_request', message: /--force/ } }]);
  writeFileSync(path, 'mine');
  t.equal((await run(['screenshot', '-o', path, '--force'])).code, 0);
  t.equal(readFileSync(path).subarray(1, 4).toString(), 'PNG');
  const out = await run(['screenshot', '-o', '-']);
  t.equal((await decodePng(out.bytes)).height, 1_280);
  t.match(failureOf(await run(['screenshot', '-o', folder])), { error: { message: /is a folder/ } });
  const nowhere = await run(['screenshot', '-o', join(folder, 'no', 'such', 'folder.png')]);
  t.match([nowhere.code, failureOf(nowhere).error.code], [1, 'file_error']);
  t.same(readdirSync(folder).sort(), ['shot.png', 'state'], 'nothing is left aside');
  await json('session', 'delete');
});

t.test("view prints the session's own link", async (t) => {
  const { json, run } = commands(t);
  const { id } = await json('session', 'create', 'ios');
  const { stdout } = await run(['view']);
  t.match(stdout, new RegExp(`^${server.url}/view/${id}\\?token=\\S+\n$`));
  t.equal((await fetch(stdout.trim())).status, 200);
  await json('session', 'delete');
});

t.test('links for others are made, shown once, listed and revoked', async (t) => {
  const { json, run } = commands(t);
  const { id } = await json('session', 'create', 'ios');
  const plain = await run(['links', 'create', 'control', '--embed-origin', 'https://friend.example']);
  t.match(plain.stdout, new RegExp(`^${server.url}/view/${id}\\?token=\\S+\n$`), 'nothing else, to be handed on');
  const made = await json('links', 'create', 'view', '--ttl', '5m');
  t.match(made, { sessionId: id, id: /^lnk_/, role: 'view', expiresAt: /Z$/ });
  t.equal((await fetch(made.url)).status, 200);
  const listed = await run(['links', 'list']);
  t.match(
    listed.stdout,
    new RegExp(
      `^${made.id}  view  expires ${made.expiresAt}\nlnk_\\S+  control  expires \\S+  in pages of https://friend`,
    ),
  );
  t.notMatch(listed.stdout, /token=/);
  t.strictSame(await json('links', 'revoke', made.id), { sessionId: id, id: made.id, revoked: true });
  t.equal((await run(['links', 'revoke', made.id])).code, 0, 'repeated: the same');
  t.not((await fetch(made.url)).status, 200);
  t.match(await json('links', 'list'), { viewerLinks: { length: 1 } });
  t.match(failureOf(await run(['links', 'revoke', 'lnk_unknown'])), { error: { code: 'viewer_link_not_found' } });
  await json('session', 'delete');
});

t.test('watch prints events as lines, until the session ends', async (t) => {
  const { json, run } = commands(t);
  const { id } = await json('session', 'create', 'ios');
  let released = false;
  const onOutput = (stdout: string) => {
    if (stdout === '' || released) return;
    released = true;
    void server.rest.releaseSession(id);
  };
  const { code, stdout } = await run(['watch'], { onOutput });
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.match([code, events[0], events.at(-1)], [0, { event: 'connected', sessionId: id }, { event: 'session.ended' }]);
});

t.test('watch tells a person each event in a line, with the time of day', async (t) => {
  const { json, run, env } = commands(t);
  const { id } = await json('session', 'create', 'ios');
  let released = false;
  const onOutput = (stdout: string) => {
    if (stdout === '' || released) return;
    released = true;
    void server.rest.releaseSession(id);
  };
  const { code, stdout } = await run(['watch'], { onOutput, isTerminal: true, env: { ...env, NO_COLOR: '1' } });
  const lines = stdout.trim().split('\n');
  for (const line of lines) t.match(line, /^\d\d:\d\d:\d\d {2}[a-z.]+( {2}\S|$)/);
  t.match(
    [code, lines[0], lines.at(-1)],
    [0, `connected  sessionId ${id}, platform ios, status active`, 'session.ended'],
  );
});

t.test('watch fails where the session goes on without it', async (t) => {
  const { json, run } = commands(t);
  const { id } = await json('session', 'create', 'ios');
  const { key, id: keyId } = await json('keys', 'create', 'brief');
  const env = { RUNCLOUD_API_KEY: key, RUNCLOUD_BASE_URL: server.url };
  let revoked: Promise<unknown> | undefined;
  const onOutput = () => {
    revoked ??= server.rest.call('DELETE', `/service/account/keys/${keyId}`);
  };
  const finished = await run(['watch', '-s', id], { env, onOutput });
  await revoked;
  t.equal(finished.code, 1);
  t.match(failureOf(finished), { ok: false, error: { code: 'authentication_required', retryable: false } });
  await json('session', 'delete');
});

t.test("a missing resource fails with the service's own error", async (t) => {
  const { json, run, folder } = commands(t);
  await json('session', 'create', 'android');
  for (const args of [
    ['open-url', 'nobody-has-this:app'],
    ['record', 'status', 'rec_unknown'],
    ['record', 'download', 'rec_unknown', '-o', join(folder, 'a.mp4')],
    ['app', 'delete', 'ast_unknown'],
  ]) {
    const finished = await run(args);
    t.equal(finished.code, 1, args.join(' '));
    t.equal(finished.stdout, '');
    t.match(failureOf(finished), { ok: false, status: 'failed', error: { retryable: false } });
  }
  t.notOk(existsSync(join(folder, 'a.mp4')));
  await json('session', 'delete');
});

t.test('hosts lists the hosts of the service for the operator', async (t) => {
  const { json, run } = commands(t);
  t.match((await run(['hosts'])).stdout, /^local {2}here {2}\d sessions {2}\d of \d Virtual/);
  t.match(await json('hosts'), { hosts: [{ name: 'local', state: 'here', isDraining: false }] });
});

t.test('doctor tells the operator what the host offers, and everybody else where to ask', async (t) => {
  const { json, run } = commands(t);
  t.match(
    (await run(['doctor'])).stdout,
    /^Service +ready +http.*\nAccount +ready +local \(acc_\w+\)\nVirtual devices +ready/,
  );
  t.match(await json('doctor'), {
    baseUrl: server.url,
    account: { name: 'local' },
    findings: [{ what: 'Virtual devices' }],
  });
  const { key } = server.addAccount('guest');
  const guest = { env: { RUNCLOUD_API_KEY: key, RUNCLOUD_BASE_URL: server.url } };
  t.match(await run(['doctor'], guest), { code: 0, stdout: /Account +ready +guest .*\n\n.*"npm run admin -- doctor"/ });
  t.notOk('findings' in JSON.parse((await run(['doctor', '--json'], guest)).stdout));
});
