import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type CommandOptions, commandLine, failureOf } from '../../../support/command-line.ts';
import { answerJson, startScriptedHttp } from '../../../support/scripted-http.ts';

type Answer = readonly [status: number, body: object];

const CODE = {
  device_code: 'device',
  user_code: 'ABCD-EFGH',
  verification_uri: 'https://a.example/device',
  expires_in: 60,
  interval: 0.03,
};
const TOKENS = { access_token: 'access', refresh_token: 'refresh', token_type: 'bearer', expires_in: 3_600 };
const ACCOUNT = { name: 'ada', email: 'ada@example.com', credential: { kind: 'token', id: 'tok_1' } };
const refused = (error: string): Answer => [400, { error, error_description: `It is ${error}.` }];

/** A service whose token endpoint gives these answers, one after the other and then the last one for ever. */
async function service(t: Test, begin: Answer, polls: readonly (Answer | 'break off')[] = []) {
  const times: number[] = [];
  const scripted = await startScriptedHttp(t, ({ path }, response) => {
    if (path === '/oauth/device_authorization') return answerJson(response, ...begin);
    if (path !== '/oauth/token') return answerJson(response, 200, ACCOUNT);
    times.push(performance.now());
    const answer = polls[Math.min(times.length, polls.length) - 1] ?? 'break off';
    if (answer === 'break off') return void response.destroy();
    return answerJson(response, ...answer);
  });
  const stateFolder = join(t.testdir({}), 'state');
  const login = (options: Partial<CommandOptions> = {}, args: readonly string[] = ['login', '--json']) =>
    commandLine(args, { env: { RUNCLOUD_BASE_URL: scripted.url }, stateFolder, ...options });
  const form = (index: number) => Object.fromEntries(new URLSearchParams(String(scripted.seen[index]?.body)));
  const isKept = () => existsSync(join(stateFolder, 'tokens.json'));
  return { ...scripted, times, login, form, isKept };
}

t.test(
  'the command asks until somebody has decided, and prints one object when it begins and one at its end',
  async (t) => {
    const pending = refused('authorization_pending');
    const { login, form, seen, isKept } = await service(t, [200, CODE], [pending, pending, [200, TOKENS]]);
    const { code, stdout, stderr } = await login();
    t.match([code, stderr], [0, '']);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    t.match(lines, [
      {
        status: 'pending',
        userCode: 'ABCD-EFGH',
        verificationUri: CODE.verification_uri,
        verificationUriComplete: CODE.verification_uri,
        expiresInMs: 60_000,
      },
      { status: 'completed', account: ACCOUNT },
    ]);
    t.equal(lines.length, 2);
    t.match(form(0), { client_id: 'runcloud-cli', device_name: /^.{1,64}$/ });
    t.strictSame(form(1), {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: 'runcloud-cli',
      device_code: 'device',
    });
    t.equal(seen.at(-1)?.headers.authorization, 'Bearer access');
    t.ok(isKept());
  },
);

t.test('a network that is away is asked half as often, and the sign-in goes on', async (t) => {
  const { login, times } = await service(t, [200, CODE], ['break off', 'break off', 'break off', [200, TOKENS]]);
  t.equal((await login()).code, 0);
  const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  t.equal(waits.length, 3);
  // 60, 120 and 240 ms at least; a busy machine makes it more.
  for (const [index, wait] of waits.entries()) t.ok(wait >= 0.03 * 1_000 * 2 ** (index + 1) - 5, `${wait}`);
});

t.test('a service that cannot write for now is asked again, and the sign-in goes on', async (t) => {
  const unavailable: Answer = [503, { status: 'failed', error: { code: 'store_unavailable', retryable: true } }];
  const { login } = await service(t, [200, CODE], [unavailable, [200, TOKENS]]);
  t.match(await login(), { code: 0, stderr: '' });
});

t.test('slow_down adds five seconds to the interval', async (t) => {
  const { login, times } = await service(t, [200, CODE], [refused('slow_down'), [200, TOKENS]]);
  t.equal((await login()).code, 0);
  t.ok((times[1] ?? 0) - (times[0] ?? 0) >= 5_000);
});

t.test('refusals and wrong answers are told in JSON, and nothing is kept', async (t) => {
  const cases: readonly (readonly [string, Answer, readonly Answer[]])[] = [
    ['access_denied', [200, CODE], [refused('access_denied')]],
    ['expired_token', [200, CODE], [refused('expired_token')]],
    ['expired_token', [200, { ...CODE, expires_in: 0.1 }], [refused('authorization_pending')]],
    ['invalid_grant', [200, CODE], [refused('invalid_grant')]],
    ['slow_down', [429, { error: 'slow_down', error_description: 'Too many.' }], []],
    ['invalid_client', [401, { error: 'invalid_client' }], []],
    ['invalid_response', [200, {}], []],
    ['invalid_response', [200, { ...CODE, user_code: '\u001b[2J' }], []],
    ['invalid_response', [200, { ...CODE, verification_uri: 'javascript:alert(1)' }], []],
    ['invalid_response', [200, { ...CODE, verification_uri_complete: 'file:///etc/passwd' }], []],
    ['invalid_response', [200, { ...CODE, expires_in: '600' }], []],
    ['invalid_response', [200, { ...CODE, interval: -1 }], []],
    ['invalid_response', [404, {}], []],
    ['invalid_response', [302, { error: 5 }], []],
    ['invalid_response', [200, CODE], [[200, { ...TOKENS, access_token: 'two lines\n' }]]],
    ['invalid_response', [200, CODE], [[200, { ...TOKENS, token_type: 'mac' }]]],
    ['invalid_response', [200, CODE], [[200, { ...TOKENS, expires_in: 0 }]]],
    ['invalid_response', [200, CODE], [[500, {}]]],
  ];
  for (const [code, begin, polls] of cases) {
    const { login, isKept } = await service(t, begin, polls);
    const finished = await login();
    t.equal(finished.code, 1, `${code} ${finished.stdout}`);
    t.match(failureOf(finished), { ok: false, status: 'failed', error: { code, message: /\S/, retryable: false } });
    t.notOk(isKept());
  }
});

t.test('Ctrl-C ends the wait', async (t) => {
  const { login, isKept } = await service(t, [200, CODE], [refused('authorization_pending')]);
  const controller = new AbortController();
  const finished = await login({
    interrupt: controller.signal,
    onOutput: () => setTimeout(() => controller.abort(), 80),
  });
  t.match([finished.code, failureOf(finished)], [130, { status: 'cancelled' }]);
  t.notOk(isKept());
});

t.test('a browser is opened for a person only, and by the address that holds the code', async (t) => {
  const code = { ...CODE, verification_uri_complete: '' };
  const { login, url } = await service(t, [200, code], [[200, TOKENS]]);
  const complete = `${url}/device?user_code=ABCD-EFGH`;
  code.verification_uri_complete = complete;
  const opened = async (isTerminal: boolean, ...more: readonly string[]) => {
    const urls: string[] = [];
    const { code } = await login({ isTerminal, onBrowser: (url) => urls.push(url) }, ['login', ...more]);
    t.equal(code, 0);
    return urls;
  };
  t.strictSame(await opened(true), [complete]);
  t.strictSame(await opened(true, '--no-browser'), []);
  t.strictSame(await opened(true, '--json'), []);
  t.strictSame(await opened(false), []);
});

t.test('a service that is gone is told of, and the tokens of one service are sent to no other', async (t) => {
  const { login, isKept, url } = await service(t, [200, CODE], [[200, TOKENS]]);
  t.equal((await login()).code, 0);
  t.ok(isKept());
  const away = await startScriptedHttp(t, (_request, response) => void response.destroy());
  const env = { RUNCLOUD_BASE_URL: away.url };
  t.match(failureOf(await login({ env })), { error: { code: 'transport_error', retryable: true } });
  const elsewhere = await login({ env }, ['account']);
  t.match(failureOf(elsewhere), { error: { code: 'authentication_required' } });
  t.equal(away.seen.length, 1, 'tokens of one service are never sent to another');
  const broken = await startScriptedHttp(t, (_request, response) => answerJson(response, 500, {}));
  t.equal((await login({ env: { RUNCLOUD_BASE_URL: `${url}/` } }, ['account'])).code, 0);
  t.match(failureOf(await login({ env: { RUNCLOUD_BASE_URL: broken.url } })), { error: { code: 'invalid_response' } });
});

t.test('a sign-out without the service deletes the tokens and tells how to complete it', async (t) => {
  let isGone = false;
  const scripted = await startScriptedHttp(t, ({ path }, response) => {
    if (isGone) return void response.destroy();
    if (path === '/oauth/device_authorization') return answerJson(response, 200, CODE);
    return answerJson(response, 200, path === '/oauth/token' ? TOKENS : { name: 'ada' });
  });
  const options = { env: { RUNCLOUD_BASE_URL: scripted.url }, stateFolder: join(t.testdir({}), 'state') };
  t.equal((await commandLine(['login'], options)).code, 0);
  isGone = true;
  const finished = await commandLine(['logout'], options);
  t.match(
    [finished.code, failureOf(finished)],
    [1, { error: { code: 'transport_error', retryable: false, action: /deleted here.*dashboard/ } }],
  );
  t.notOk(existsSync(join(options.stateFolder, 'tokens.json')));
});

t.test(
  'an interval that no timer can count is waited for, not polled through, until the code has expired',
  async (t) => {
    const begin = { ...CODE, interval: 30 * 86_400, expires_in: 0.3 };
    const { login, times } = await service(t, [200, begin], [refused('authorization_pending')]);
    const finished = await login();
    t.match(failureOf(finished), { error: { code: 'expired_token' } });
    t.equal(times.length, 0);
  },
);
