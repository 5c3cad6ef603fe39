import { join } from 'node:path';
import t from 'tap';
import { commandLine, failureOf } from '../../support/command-line.ts';
import { NOBODY_URL } from '../../support/nobody.ts';
import { RIGHT_COMMANDS } from '../../support/right-commands.ts';
import { answerJson, failure, startScriptedHttp } from '../../support/scripted-http.ts';

const KEY = 'a-key-that-is-never-printed';

/** Every command, with arguments that are wrong. */
const WRONG: readonly (readonly string[])[] = [
  ['dance'],
  ['login', 'me'],
  ['logout', 'me'],
  ['login', '--json', '--browser'],
  ['account', 'mine'],
  ['keys'],
  ['keys', 'create'],
  ['keys', 'create', ''],
  ['keys', 'create', 'x'.repeat(65)],
  ['keys', 'create', 'two\nlines'],
  ['keys', 'create', 'CI', '--ttl', '5'],
  ['keys', 'create', 'CI', '--ttl', '1s'],
  ['keys', 'revoke'],
  ['keys', 'revoke', ''],
  ['tokens'],
  ['tokens', 'list', 'mine'],
  ['tokens', 'revoke'],
  ['tokens', 'revoke', ''],
  ['session'],
  ['session', 'dance'],
  ['session', 'create'],
  ['session', 'create', 'windows'],
  ['session', 'create', 'ios', '--hard-timeout', '5'],
  ['session', 'create', 'ios', '--label', 'no-value'],
  ['session', 'create', 'ios', '--orientation', 'up'],
  ['session', 'get', ''],
  ['session', 'list', '--status', 'gone'],
  ['session', 'list', '--platform', 'web'],
  ['session', 'use'],
  ['session', 'delete', ''],
  ['tap', '0.5'],
  ['tap', '0.5', '2'],
  ['tap', '', '0'],
  ['tap', '0.5', '0.5', '0.5'],
  ['tap', '0.5', '0.5', '--timeout', '99'],
  ['tap', '0.5', '0.5', '--timeout', '2m'],
  ['tap', '0.5', '0.5', '--timeout', 'soon'],
  ['tap', '0.5', '0.5', '--request-id', 'a b'],
  ['tap', '0.5', '0.5', '--dance'],
  ['swipe', '0.5', '0.5,0.5'],
  ['swipe', '0.5,0.5,0.5', '0.5,0.5'],
  ['swipe', '0.5,0.5', '0.5,0.6', '--duration', '10ms'],
  ['gesture', '/no/such/file'],
  ['gesture', 'README.md'],
  ['gesture', 'package.json'],
  ['type', ''],
  ['type', 'Grüße'],
  ['key', 'A'],
  ['key', 'a', '--modifier', 'hyper'],
  ['button', 'bell'],
  ['rotate', 'up'],
  ['scroll', '0', '0'],
  ['scroll', '0', '-1.5'],
  ['scroll', '0', '1', '--at', '0.5'],
  ['scroll'],
  ['scroll', '0'],
  ['scroll', '0', '1', '--to', 'Imprint'],
  ['scroll', '0', '1', '--direction', 'down'],
  ['scroll', '--to', 'Imprint', '--direction', 'aside'],
  ['scroll', '--to', 'Imprint', '--at', '0.5,0.5'],
  ['scroll', '--near', 'Imprint'],
  ['render-debug', 'slowAnimations', 'maybe'],
  ['render-debug', 'fastAnimations', 'on'],
  ['screenshot', '-o', 'package.json'],
  ['screenshot', '-o', 'client'],
  ['screenshot', '--timeout', '1'],
  ['open-url', ''],
  ['open-url', 'no url at all'],
  ['open-url', 'javascript:alert(1)'],
  ['clipboard'],
  ['clipboard', 'set', 'a'.repeat(10_001)],
  ['clipboard', 'set', 'two', 'texts'],
  ['clipboard', 'get', 'text'],
  ['record', 'start', '--idempotency-key', ''],
  ['record', 'status'],
  ['record', 'stop', ''],
  ['record', 'download', ''],
  ['record', 'poster', ''],
  ['record', 'poster', 'rec_1', '-o', 'package.json'],
  ['record', 'download', 'rec_1', '-o', 'package.json'],
  ['launch', 'com.example.shop', '--argument', 'no-value'],
  ['app', 'upload', '/no/such/app.apk'],
  ['app', 'upload', 'client'],
  ['app', 'delete'],
  ['view', 'mine'],
  ['links'],
  ['links', 'create'],
  ['links', 'create', 'owner'],
  ['links', 'create', 'view', '--ttl', '5'],
  ['links', 'create', 'view', '--ttl', '25h'],
  ['links', 'create', 'view', '--embed-origin', 'a.example'],
  ['links', 'revoke'],
  ['links', 'revoke', ''],
  ['run', 'file'],
  ['run'],
  ['completion', 'tcsh'],
];

const steps = '[{"phase":"begin","points":[{"x":0,"y":0}]},{"phase":"end","points":[{"x":0,"y":0}]}]';
const about = { stateFolder: '/nonexistent/state', stdin: steps };
const ses = { RUNCLOUD_SESSION: 'ses_1' };

t.test('wrong arguments are told before a key is looked for, and before anything is sent', async (t) => {
  for (const args of WRONG) {
    const finished = await commandLine(args, { ...about, env: {} });
    t.equal(finished.code, 2, args.join(' '));
    t.equal(finished.stdout, '');
    t.match(failureOf(finished), {
      ok: false,
      status: 'failed',
      error: { code: 'invalid_request', message: /\S.*\S/, retryable: false },
    });
  }
});

t.test('without a key, or an empty one, nothing is sent', async (t) => {
  for (const args of RIGHT_COMMANDS) {
    for (const env of [ses, { ...ses, RUNCLOUD_API_KEY: '' }]) {
      const finished = await commandLine(args, { ...about, env });
      t.equal(finished.code, 1, args.join(' '));
      t.match(failureOf(finished), { error: { code: 'authentication_required', action: /RUNCLOUD_API_KEY/ } });
    }
  }
});

t.test('a wrong key is told as the service tells it, by every command', async (t) => {
  const service = await startScriptedHttp(t, (_request, response) => {
    answerJson(response, 401, failure('authentication_required'));
  });
  const env = { ...ses, RUNCLOUD_API_KEY: KEY, RUNCLOUD_BASE_URL: service.url };
  for (const args of RIGHT_COMMANDS) {
    const finished = await commandLine(args, { ...about, env });
    t.equal(finished.code, 1, args.join(' '));
    t.equal(finished.stdout, '', 'nothing but results goes to standard output');
    t.match(failureOf(finished), { ok: false, error: { code: 'authentication_required', retryable: false } });
    t.notMatch(finished.stderr, KEY);
  }
  t.ok(service.seen.every(({ headers }) => headers.authorization === `Bearer ${KEY}`));
});

t.test('a service that is gone is told of by every command, as something to try again', async (t) => {
  const env = { ...ses, RUNCLOUD_API_KEY: KEY, RUNCLOUD_BASE_URL: NOBODY_URL };
  // All at once: each of them tries for some two seconds.
  const all = await Promise.all(RIGHT_COMMANDS.map((args) => commandLine(args, { ...about, env })));
  for (const [index, finished] of all.entries()) {
    const args = (RIGHT_COMMANDS[index] ?? []).join(' ');
    t.equal(finished.code, 1, args);
    t.equal(finished.stdout, '', args);
    t.match(failureOf(finished), { ok: false, error: { code: /transport_error$/, retryable: true } }, args);
  }
});

t.test('a service that does not answer in time has an exit code of its own', async (t) => {
  const session = { id: 'ses_1', platform: 'ios' };
  const service = await startScriptedHttp(t, ({ path }, response) => {
    if (path === '/service/sessions/ses_1') answerJson(response, 200, session);
  });
  const env = { ...ses, RUNCLOUD_API_KEY: KEY, RUNCLOUD_BASE_URL: service.url };
  const run = (args: readonly string[]) => commandLine([...args, '--timeout', '100ms'], { ...about, env });
  const [tap, screenshot] = await Promise.all([run(['tap', '0', '0']), run(['screenshot', '-o', '-'])]);
  t.match([tap.code, failureOf(tap)], [124, { status: 'timed_out', error: { code: 'interaction_timeout' } }]);
  t.match([screenshot.code, failureOf(screenshot)], [124, { status: 'timed_out', action: 'screenshot' }]);
  const told = failure('interaction_timeout', true, { status: 'timed_out' });
  const slow = await startScriptedHttp(t, (_request, response) => answerJson(response, 504, { ...session, ...told }));
  const answered = await commandLine(['reload'], { ...about, env: { ...env, RUNCLOUD_BASE_URL: slow.url } });
  t.equal(answered.code, 124, 'also when the service itself says so');
});

t.test('a wrong address is a wrong argument', async (t) => {
  const env = { ...ses, RUNCLOUD_API_KEY: KEY, RUNCLOUD_BASE_URL: 'example.com' };
  const finished = await commandLine(['tap', '0', '0'], { ...about, env });
  t.match(
    [finished.code, failureOf(finished).error],
    [2, { message: /^RUNCLOUD_BASE_URL is ".*", which is no http or https address\.$/ }],
  );
});

t.test('an interrupt while something is pending says that it was cancelled', async (t) => {
  const session = { id: 'ses_1', platform: 'ios' };
  let controller = new AbortController();
  const service = await startScriptedHttp(t, ({ method, path }, response) => {
    if (path === '/service/sessions/ses_1') return answerJson(response, 200, session);
    if (method === 'DELETE') return answerJson(response, 200, { ok: true, cancelled: true });
    // This request gets no answer, so it is pending when the command is interrupted.
    return controller.abort();
  });
  const env = { ...ses, RUNCLOUD_API_KEY: KEY, RUNCLOUD_BASE_URL: service.url };
  for (const [args, code] of [
    [['tap', '0', '0', '--request-id', 'mine'], 'interaction_cancelled'],
    [['screenshot', '-o', join(t.testdir({}), 'a.png')], 'screenshot_cancelled'],
    [['session', 'create', 'ios'], 'interaction_cancelled'],
    [['open-url', 'https://a.example/'], 'interaction_cancelled'],
    [['clipboard', 'get'], 'interaction_cancelled'],
    [['clipboard', 'set', 'text'], 'interaction_cancelled'],
    [['record', 'start'], 'interaction_cancelled'],
    [['watch'], undefined],
  ] as const) {
    controller = new AbortController();
    const finished = await commandLine(args, { ...about, env, interrupt: controller.signal });
    t.equal(finished.code, 130, args.join(' '));
    t.equal(finished.stdout, '');
    // The service has no cancel for it.
    if (args[0] === 'open-url') t.match(failureOf(finished), { action: 'open-url', error: { message: /may still/ } });
    if (code) t.match(failureOf(finished), { ok: false, status: 'cancelled', error: { code, retryable: false } });
  }
  const cancels = service.seen.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
  t.same(cancels, ['/service/ios/ses_1/interactions/mine'], 'the device is told, and the session stays');
});
