import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Account, CreatedKey, KeyList, Usage } from '@runcloud/protocol';
import t from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { DashboardClient, withLinks } from '../support/dashboard-client.ts';
import { envelopeFault } from '../support/envelope.ts';
import { RestClient } from '../support/rest-client.ts';
import { startServer } from '../support/server.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';

const server = await startServer();
t.teardown(() => server.close());
const stranger = server.addAccount('stranger');

t.test('each credential is told which account it acts as', async (t) => {
  const { body } = await server.rest.call<Account>('GET', '/service/account');
  t.match(body, { id: /^acc_/, organizationId: /^org_/, name: 'local', credential: { kind: 'key', id: /^key_/ } });
  t.notOk('email' in body);
  t.match((await stranger.rest.call('GET', '/service/account')).body, { name: 'stranger', id: stranger.accountId });
});

t.test('a key is made, works, is listed without itself, and dies with its sockets', async (t) => {
  const made = await server.rest.call<CreatedKey>('POST', '/service/account/keys', { name: 'Büro ☕', ttl: '720h' });
  t.equal(made.status, 201);
  t.match(made.body, { id: /^key_/, name: 'Büro ☕', key: /^rck_\w{38}$/ });
  const lifeMs = Date.parse(made.body.expiresAt ?? '') - Date.parse(made.body.createdAt);
  t.equal(lifeMs, 720 * 3_600_000);
  const rest = new RestClient(server.url, made.body.key);
  const session = await rest.createSession('ios');
  const control = await ControlClient.connect(server.url, session, rest.authorization);
  const { body: list } = await rest.call<KeyList>('GET', '/service/account/keys');
  t.equal(list.keys[0]?.id, made.body.id);
  t.notMatch(JSON.stringify(list), /rck_|digest/);
  const path = `/service/account/keys/${made.body.id}`;
  for (let round = 0; round < 2; round++) {
    t.same((await server.rest.call('DELETE', path)).body, { id: made.body.id, revoked: true });
  }
  t.equal((await control.closed).code, 4401);
  t.equal((await rest.call('GET', '/service/account')).status, 401);
  await server.rest.releaseSession(session.id);
});

t.test('a bad request for a key says which field is wrong', async (t) => {
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [{}, /"name" is required/],
    [{ name: '' }, /"name" must be text of 1 to 64/],
    [{ name: 'a\nb' }, /"name"/],
    [{ name: 'x'.repeat(65) }, /"name"/],
    [{ name: 'ci', ttl: 'soon' }, /"ttl" must be a duration/],
    [{ name: 'ci', ttl: '59s' }, /"ttl" must be from 1m to 8760h/],
    [{ name: 'ci', ttl: '8761h' }, /"ttl" must be from 1m to 8760h/],
    [{ name: 'ci', accountId: stranger.accountId }, /"accountId" is not a known field/],
  ];
  for (const [body, message] of cases) {
    t.match(await server.rest.call('POST', '/service/account/keys', body), {
      status: 400,
      body: { error: { message } },
    });
  }
});

t.test("a stranger's keys, programs and requests are as unknown as none", async (t) => {
  const { body: key } = await server.rest.call<CreatedKey>('POST', '/service/account/keys', { name: 'mine' });
  const device = await fetch(`${server.url}/oauth/device_authorization`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'client_id=runcloud-cli',
  });
  const { user_code, device_code } = (await device.json()) as Record<string, string>;
  await server.rest.call('POST', `/service/account/device-requests/${user_code}`, { decision: 'approve' });
  await fetch(`${server.url}/oauth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: 'runcloud-cli',
      device_code: device_code ?? '',
    }).toString(),
  });
  const { body: mine } = await server.rest.call<{ tokens: { id: string }[] }>('GET', '/service/account/tokens');
  t.equal(mine.tokens.length, 1);
  const foreign = [
    ['key_not_found', `keys/${key.id}`, 'keys/key_0123456789ABCDEFGHIJKL'],
    ['token_not_found', `tokens/${mine.tokens[0]?.id}`, 'tokens/tok_0123456789ABCDEFGHIJKL'],
  ] as const;
  const normal = (text: string) =>
    text
      .replace(/req_\w+/g, '')
      .replace(/\d{4}-[^"]+Z/g, '')
      .replace(/"durationMs":\d+/, '');
  for (const [code, theirs, none] of foreign) {
    const answers: string[] = [];
    for (const path of [theirs, none]) {
      const response = await stranger.rest.fetch(`/service/account/${path}`, { method: 'DELETE' });
      const text = await response.text();
      t.equal(envelopeFault(code, response.status, text), undefined, path);
      answers.push(normal(text));
    }
    t.equal(answers[0], answers[1], 'told alike');
  }
  t.same((await stranger.rest.call('GET', '/service/account/tokens')).body, { tokens: [] });
  t.equal((await new RestClient(server.url, key.key).call('GET', '/service/account')).status, 200, 'still alive');
});

const dayOf = (time?: string) => (time ?? new Date().toISOString()).slice(0, 10);

t.test('usage counts the sessions of the account, day by day', async (t) => {
  const own = server.addAccount('counted');
  const session = await own.rest.createSession('ios');
  const read = async (query = '') => (await own.rest.call<Usage>('GET', `/service/account/usage${query}`)).body;
  t.match(await read(), { activeSessions: 1, total: { sessions: 1, recordings: 0 } });
  const released = await own.rest.releaseSession(session.id);
  const usage = await read('?days=3');
  t.equal(usage.days.length, 3);
  // Midnight may pass meanwhile: a session counts for the day that it was made on.
  t.match(usage, { activeSessions: 0, total: { sessions: 1 } });
  t.ok([dayOf(released.body.releasedAt), dayOf()].includes(usage.days.at(-1)?.date ?? ''), 'today comes last');
  t.same(
    usage.days.map(({ sessions }) => sessions),
    usage.days.map(({ date }) => (date === dayOf(session.createdAt) ? 1 : 0)),
  );
  for (const query of ['?days=0', '?days=91', '?days=x', '?day=3', '?days=1&days=2']) {
    t.equal((await own.rest.call('GET', `/service/account/usage${query}`)).status, 400, query);
  }
});

t.test('no account route answers without a credential', async (t) => {
  for (const path of ['', '/keys', '/tokens', '/usage', '/device-requests/BBBB-BBBB']) {
    const response = await fetch(`${server.url}/service/account${path}`);
    t.equal(envelopeFault('authentication_required', response.status, await response.text()), undefined, path);
  }
});

t.test('no secret is in the database, in its journal, or in the log', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const program = serverProgram(dataDir.path, { RUNCLOUD_LOG: 'trace' });
  t.teardown(() => program.signal('SIGKILL'));
  const url = await program.ready();
  const key = /rck_\w{38}/.exec(program.stderr)?.[0] ?? '';
  const rest = new RestClient(url, key);
  const link = /#(rcl_\w{38})/.exec(program.stderr)?.[1] ?? '';
  const atStart = program.stderr.length;
  const browser = new DashboardClient(url);
  await browser.call('POST', '/service/account/sign-in-links', { token: link });
  const password = 'a canary sings at dawn';
  await browser.call('POST', '/service/account/password', { email: 'canary@example.com', password });
  await browser.call('POST', '/service/account/sign-in', { email: 'canary@example.com', password: `${password}!` });
  const invitation = withLinks(dataDir.path, (links) => links.invite('bird@example.com').path).split('#')[1] ?? '';
  const made = await rest.call<CreatedKey>('POST', '/service/account/keys', { name: 'canary' });
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const post = async (path: string, parameters: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: 'runcloud-cli', ...parameters }).toString();
    const response = await fetch(`${url}/oauth/${path}`, { method: 'POST', headers: form, body });
    return (await response.json()) as Record<string, string>;
  };
  const device = await post('device_authorization', {});
  const waiting = await post('device_authorization', {});
  await rest.call('POST', `/service/account/device-requests/${device.user_code}`, { decision: 'approve' });
  const tokens = await post('token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: device.device_code ?? '',
  });
  const secrets = {
    key,
    link,
    password,
    invitation,
    'made key': made.body.key,
    cookie: browser.cookie.split('=')[1] ?? '',
    'device code': waiting.device_code ?? '',
    'user code': (waiting.user_code ?? '').replace('-', ''),
    'access token': tokens.access_token ?? '',
    'refresh token': tokens.refresh_token ?? '',
  };
  const places = readdirSync(dataDir.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, path }) => [name, readFileSync(join(path, name))] as const);
  t.ok(places.some(([name]) => name === 'runcloud.db'));
  for (const [name, secret] of Object.entries(secrets)) {
    t.ok(secret.length >= 8, name);
    for (const [place, bytes] of places) t.notOk(bytes.includes(secret), `${name} in ${place}`);
    t.notOk(program.stderr.slice(atStart).includes(secret), `${name} in the log`);
  }
  t.ok(
    places.some(([, bytes]) => bytes.includes('canary@example.com')),
    'the search finds what is there',
  );
});

t.test('revoking a key takes along what was made with it, when that is wished', async (t) => {
  const { rest, key } = server.addAccount('minter');
  const make = async (by: RestClient, name: string) =>
    (await by.call<CreatedKey>('POST', '/service/account/keys', { name })).body;
  const leaked = await make(rest, 'leaked');
  const child = await make(new RestClient(server.url, leaked.key), 'child');
  t.equal(child.mintedBy, leaked.id);
  const wrong = await rest.call('DELETE', `/service/account/keys/${leaked.id}?minted=yes`);
  t.equal(wrong.status, 400);
  const revoked = await rest.call('DELETE', `/service/account/keys/${leaked.id}?minted=true`);
  t.same([revoked.status, revoked.body], [200, { id: leaked.id, revoked: true, minted: [child.id] }]);
  t.equal((await new RestClient(server.url, child.key).call('GET', '/service/account')).status, 401);
  t.equal((await new RestClient(server.url, key).call('GET', '/service/account')).status, 200);
});
