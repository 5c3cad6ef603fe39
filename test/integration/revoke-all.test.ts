import type { CreatedKey, RevokedAll } from '@runcloud/protocol';
import { CLOSE } from '@runcloud/protocol/terms';
import t from 'tap';
import { SIGN_IN_LIFE_MS } from '../../server/account/dashboard-sign-ins.ts';
import { FRESH_SIGN_IN_MS } from '../../server/account/sign-in.ts';
import { databasePath } from '../../server/store/database.ts';
import { Sqlite } from '../../server/store/sqlite.ts';
import { admin } from '../support/admin-command.ts';
import { commandLine } from '../support/command-line.ts';
import { ControlClient } from '../support/control-client.ts';
import { DashboardClient } from '../support/dashboard-client.ts';
import { RestClient } from '../support/rest-client.ts';
import { startServer } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const REVOKED = { code: CLOSE.revoked.code, reason: CLOSE.revoked.reason };
const PATH = '/service/account/revocations';
const post = (path: string, form: Record<string, string>) =>
  fetch(`${server.url}/oauth/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  }).then((response) => response.json() as Promise<Record<string, string>>);

/** An account with one of everything that somebody with a key of it can make, and the sockets that are open by that. */
async function opened(name: string) {
  const { rest } = server.addAccount(name);
  const leaked = await rest.call<CreatedKey>('POST', '/service/account/keys', { name: 'made by the thief' });
  const session = await rest.createSession(name === 'other' ? 'android' : 'ios');
  const link = await rest.call<{ url: string }>('POST', `/service/sessions/${session.id}/viewer-links`, {
    role: 'view',
  });
  const letIn = async () => {
    const begun = await post('device_authorization', { client_id: 'runcloud-cli' });
    await rest.call('POST', `/service/account/device-requests/${begun.user_code}`, { decision: 'approve' });
    return begun.device_code ?? '';
  };
  const exchange = (device_code: string) =>
    post('token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: 'runcloud-cli',
      device_code,
    });
  const tokens = await exchange(await letIn());
  const waiting = await letIn();
  const browser = new DashboardClient(server.url);
  await browser.enter(server.dataDir, name);
  const sockets = {
    'of the key': await ControlClient.connect(server.url, session, rest.authorization),
    'of the program': await ControlClient.connect(server.url, session, `Bearer ${tokens.access_token}`),
    'of the address': await ControlClient.connectWithToken(server.url, session, server.url),
    'of the link': await ControlClient.connectWithToken(server.url, { ...session, url: link.body.url }, server.url),
  };
  /** The credentials that the account still accepts. */
  const left = async () => {
    const found: string[] = [];
    const isLet = async (authorization: string) =>
      (await fetch(`${server.url}/service/account`, { headers: { Authorization: authorization } })).status === 200;
    if (await isLet(rest.authorization)) found.push('the key');
    if (await isLet(`Bearer ${leaked.body.key}`)) found.push('the key that a key made');
    if (await isLet(`Bearer ${tokens.access_token}`)) found.push('the access token');
    const refresh_token = tokens.refresh_token ?? '';
    const renewed = await post('token', { grant_type: 'refresh_token', client_id: 'runcloud-cli', refresh_token });
    if (renewed.access_token) found.push('the refresh token');
    if ((await exchange(waiting)).access_token) found.push('the approved request');
    if ((await browser.fetch('GET', '/service/account')).status === 200) found.push('the cookie');
    if ((await fetch(session.url)).status === 200) found.push("the session's address");
    if ((await fetch(link.body.url)).status === 200) found.push('the link');
    return found;
  };
  return { rest, session, browser, sockets, left };
}

t.test(
  'one call ends everything that opens the account, whoever made it, and a new key is all that is left',
  async (t) => {
    const other = await opened('other');
    const { rest, session, sockets, left } = await opened('acme');
    const { status, body } = await rest.call<RevokedAll>('POST', PATH, { newKey: 'after the leak' });
    t.match(
      [status, body],
      [200, { keys: 2, tokens: 1, signIns: 1, viewerLinks: 1, newKey: { name: 'after the leak' } }],
    );
    for (const [name, socket] of Object.entries(sockets)) t.same(await socket.closed, REVOKED, name);
    t.same(await left(), []);
    const renewed = new RestClient(server.url, body.newKey?.key ?? '');
    const read = await renewed.call<typeof session>('GET', `/service/sessions/${session.id}`);
    t.match(read.body, { status: 'active' }, 'sessions go on');
    const again = await ControlClient.connectWithToken(server.url, read.body, server.url);
    await again.close();
    await renewed.releaseSession(session.id);
    t.equal((await other.left()).length, 8, 'and nobody else notices');
    for (const socket of Object.values(other.sockets)) await socket.close();
    await other.rest.releaseSession(other.session.id);
  },
);

t.test('a browser that asks stays signed in, by another cookie', async (t) => {
  const { browser, session, sockets } = await opened('acme2');
  const before = browser.cookie;
  const { status, body } = await browser.call<RevokedAll>('POST', PATH, {});
  t.equal(status, 200);
  t.notOk('newKey' in body);
  t.not(browser.cookie, before);
  t.equal((await browser.fetch('GET', '/service/account')).status, 200);
  for (const [name, socket] of Object.entries(sockets)) t.same(await socket.closed, REVOKED, name);
  await browser.call('DELETE', `/service/sessions/${session.id}`);
  browser.cookie = before;
  t.equal((await browser.fetch('GET', '/service/account')).status, 401);
});

t.test('the cookie that it gets is as old as the one before, and sets no password by itself', async (t) => {
  const { accountId } = server.addAccount('acme6');
  const browser = new DashboardClient(server.url);
  await browser.enter(server.dataDir, 'acme6');
  const database = new Sqlite(databasePath(server.dataDir));
  t.teardown(() => database.close());
  const times = database.prepare(
    'SELECT created_at_ms AS createdAtMs, expires_at_ms AS expiresAtMs FROM dashboard_sign_in WHERE account_id = ?',
  );
  database
    .prepare('UPDATE dashboard_sign_in SET created_at_ms = created_at_ms - ?, expires_at_ms = expires_at_ms - ?')
    .run(FRESH_SIGN_IN_MS, FRESH_SIGN_IN_MS);
  const before = times.all(accountId);
  t.equal((await browser.call('POST', PATH, {})).status, 200);
  t.same(times.all(accountId), before);
  t.ok(Number(/Max-Age=([0-9]+)/.exec(browser.setCookie)?.[1]) < (SIGN_IN_LIFE_MS - FRESH_SIGN_IN_MS) / 1_000 + 1);
  const request = { email: 'thief@example.com', password: 'correct horse battery' };
  t.match(await browser.call('POST', '/service/account/password', request), {
    status: 403,
    body: { error: { code: 'fresh_sign_in_required' } },
  });
});

t.test('the operator does the same while the server runs', async (t) => {
  const { sockets, left } = await opened('acme3');
  const { code, stdout } = await admin(server.dataDir, 'account', 'revoke-all', 'acme3', '--name', 'new', '--json');
  t.equal(code, 0);
  const answer = JSON.parse(stdout);
  t.match(answer, { keys: 2, tokens: 1, signIns: 1, viewerLinks: 1, key: /^rck_/ });
  for (const [name, socket] of Object.entries(sockets)) t.same(await socket.closed, REVOKED, name);
  t.same(await left(), []);
  t.equal((await new RestClient(server.url, answer.key).call('GET', '/service/account')).status, 200);
});

t.test('the command line does it, and prints the new key', async (t) => {
  const { key } = server.addAccount('acme4');
  const env = { RUNCLOUD_API_KEY: key, RUNCLOUD_BASE_URL: server.url };
  const options = { env, stateFolder: t.testdir({}) };
  const { code, stdout } = await commandLine(['keys', 'revoke-all', '--new-key', 'laptop', '--json'], options);
  t.equal(code, 0);
  const answer = JSON.parse(stdout);
  t.match(answer, { keys: 1, newKey: { name: 'laptop', key: /^rck_/ } });
  t.equal((await commandLine(['account'], options)).code === 0, false);
  const renewed = { ...options, env: { ...env, RUNCLOUD_API_KEY: answer.newKey.key } };
  t.equal((await commandLine(['account'], renewed)).code, 0);
});

t.test('a bad body changes nothing', async (t) => {
  const { rest } = server.addAccount('acme5');
  for (const body of [{ newKey: '' }, { newKey: 5 }, { all: true }, []]) {
    t.equal((await rest.call('POST', PATH, body)).status, 400, JSON.stringify(body));
  }
  t.equal((await rest.call('GET', '/service/account')).status, 200);
});
