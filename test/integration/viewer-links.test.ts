import type { CreatedViewerLink, SessionRecord, ViewerLinkList } from '@runcloud/protocol';
import { CLOSE, type ErrorCode, LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { envelopeFault } from '../support/envelope.ts';
import { UPGRADE_HEADERS } from '../support/frames.ts';
import { RestClient } from '../support/rest-client.ts';
import { startServer, TEST_KEY } from '../support/server.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';
import { exchange, requestText } from '../support/wire.ts';

const FRIEND = 'https://friend.example';
const PARTNER = 'https://partner.example';
const server = await startServer();
t.teardown(() => server.close());
const session = await server.rest.createSession('ios', { embedOrigins: [FRIEND] });
const released = await server.rest.createSession('ios');
await server.rest.releaseSession(released.id);
const stranger = server.addAccount('stranger');

const linksOf = ({ id }: Pick<SessionRecord, 'id'>) => `/service/sessions/${id}/viewer-links`;

async function makeLink(body: object, of = session, rest = server.rest): Promise<CreatedViewerLink> {
  const answer = await rest.call<CreatedViewerLink>('POST', linksOf(of), body);
  if (answer.status !== 201) throw new Error(`no link: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function listed(of = session): Promise<ViewerLinkList['viewerLinks']> {
  return (await server.rest.call<ViewerLinkList>('GET', linksOf(of))).body.viewerLinks;
}

const revoke = (id: string, of = session) => server.rest.call('DELETE', `${linksOf(of)}/${id}`);

/** The deviation of an answer from the expected failure; `undefined` if there is none. */
async function faultOf(code: ErrorCode, method: string, path: string, body?: unknown, rest = server.rest) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const init = body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: text };
  const response = await rest.fetch(path, { method, ...init });
  return envelopeFault(code, response.status, await response.text());
}

/** Tries to open the control socket with a link's token; `undefined` when it is refused with `code`. */
async function socketFault(code: ErrorCode, { url }: CreatedViewerLink, origin: string): Promise<string | undefined> {
  const path = `/service/ios/${session.id}/control${new URL(url).search}`;
  const answer = await exchange(server.url, requestText(`GET ${path}`, { ...UPGRADE_HEADERS, Origin: origin }));
  return answer ? envelopeFault(code, answer.status, answer.body.toString()) : 'no answer';
}

const open = ({ url }: CreatedViewerLink, origin = server.url) =>
  ControlClient.connectWithToken(server.url, { ...session, url }, origin);

t.test('a link is made with its address once, listed without it, newest first, and revoked', async (t) => {
  const before = Date.now();
  const view = await makeLink({ role: 'view' });
  const control = await makeLink({ role: 'control', ttl: '10m', embedOrigin: 'https://Partner.example:443' });
  t.same(Object.keys(view).sort(), ['expiresAt', 'id', 'role', 'url']);
  t.match(view, { id: /^lnk_\w{22}$/, role: 'view' });
  t.ok(view.url.startsWith(`${server.url}/view/${session.id}?token=`));
  t.ok(Math.abs(Date.parse(view.expiresAt) - before - 3_600_000) < 5_000, 'an hour when nothing is said');
  t.match(control, { role: 'control', embedOrigin: PARTNER });
  t.ok(Math.abs(Date.parse(control.expiresAt) - before - 600_000) < 5_000);
  const shown = ({ url: _url, ...rest }: CreatedViewerLink) => rest;
  t.same(await listed(), [shown(control), shown(view)]);
  for (const time of ['first', 'second']) {
    const { status, body } = await revoke(view.id);
    t.same({ status, body }, { status: 200, body: { id: view.id, revoked: true } }, time);
  }
  t.same(await listed(), [shown(control)]);
  await revoke(control.id);
});

t.test("a link ends with its session's hard end at the latest", async (t) => {
  const short = await server.rest.createSession('ios', { hardTimeout: '5m' });
  const link = await makeLink({ role: 'view', ttl: '24h' }, short);
  t.ok(Date.parse(link.expiresAt) <= Date.parse(short.createdAt) + 300_000);
  await server.rest.releaseSession(short.id);
});

t.test('a link opens the control socket as its role says', async (t) => {
  for (const role of ['control', 'view'] as const) {
    const link = await makeLink({ role });
    const client = await open(link);
    t.match(client.messages[0], { type: 'ready', role });
    const { ok } = await client.interact({ requestId: `tap-as-${role}`, action: 'tap', x: 0.5, y: 0.5 });
    t.equal(ok, role === 'control');
    await client.close();
    await revoke(link.id);
  }
});

t.test('revoking a link closes its sockets with 4401 at once, and no others', async (t) => {
  const [doomed, safe] = [await makeLink({ role: 'control' }), await makeLink({ role: 'control' })];
  const closing = [await open(doomed), await open(doomed, FRIEND)];
  const staying = [await open(safe), await ControlClient.connectWithToken(server.url, session, server.url)];
  await revoke(doomed.id);
  for (const client of closing) t.same((await client.closed).code, CLOSE.revoked.code);
  t.equal(await socketFault('authentication_required', doomed, server.url), undefined);
  for (const [index, client] of staying.entries()) {
    t.match(await client.interact({ requestId: `stays-${index}`, action: 'tap', x: 0.5, y: 0.5 }), { ok: true });
    await client.close();
  }
  await revoke(safe.id);
});

t.test(
  'a token with an origin opens the socket from there, beside the own origin and those of the session',
  async (t) => {
    const link = await makeLink({ role: 'view', embedOrigin: PARTNER });
    const plain = await makeLink({ role: 'view' });
    for (const origin of [server.url, FRIEND, PARTNER]) await (await open(link, origin)).close();
    for (const origin of ['https://evil.example', `${PARTNER}.evil.example`, `${PARTNER}:444`, 'null']) {
      t.equal(await socketFault('origin_not_allowed', link, origin), undefined, origin);
    }
    t.equal(await socketFault('origin_not_allowed', plain, PARTNER), undefined, 'it is the origin of that token alone');
    await revoke(link.id);
    await revoke(plain.id);
  },
);

t.test('the three routes tell unknown, foreign, ended and linkless apart as they should', async (t) => {
  const link = await makeLink({ role: 'view' });
  const body = { role: 'view' };
  const nobody = { id: 'ses_0123456789ABCDEFGHIJKL' };
  const routes = (of: { id: string }): [string, string, unknown?][] => [
    ['POST', linksOf(of), body],
    ['POST', linksOf(of), 'not json'],
    ['GET', linksOf(of)],
    ['DELETE', `${linksOf(of)}/${link.id}`],
  ];
  for (const route of routes(nobody)) t.equal(await faultOf('session_not_found', ...route), undefined, route[0]);
  for (const of of [session, released]) {
    for (const [method, path, sent] of routes(of)) {
      t.equal(await faultOf('session_not_found', method, path, sent, stranger.rest), undefined, `foreign ${method}`);
    }
  }
  for (const route of routes(released))
    t.equal(await faultOf('active_session_not_found', ...route), undefined, route[0]);
  const other = await server.rest.createSession('android');
  for (const path of [`${linksOf(session)}/lnk_0123456789ABCDEFGHIJKL`, `${linksOf(other)}/${link.id}`]) {
    t.equal(await faultOf('viewer_link_not_found', 'DELETE', path), undefined, path);
  }
  t.same(
    (await listed()).map(({ id }) => id),
    [link.id],
    'nobody touched the link',
  );
  await revoke(link.id);
});

t.test('a body that is not a request for a link is refused by the name of its field', async (t) => {
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [{}, /"role"/],
    [{ role: 'admin' }, /"role" must be one of control, view/],
    [{ role: 'view', ttl: '59s' }, /"ttl" must be from 1m to 24h/],
    [{ role: 'view', ttl: '25h' }, /"ttl" must be from 1m to 24h/],
    [{ role: 'view', ttl: 600 }, /"ttl" must be a duration/],
    [{ role: 'view', ttl: '1.5h' }, /"ttl" must be a duration/],
    [{ role: 'view', embedOrigin: '*' }, /"embedOrigin" must be an origin/],
    [{ role: 'view', embedOrigin: 'https://a.example/path' }, /"embedOrigin" must be an origin/],
    [{ role: 'view', embedOrigin: "https://a.example; script-src 'none'" }, /"embedOrigin" must be an origin/],
    [{ role: 'view', embedOrigin: 'https://a.example:99999' }, /"embedOrigin" must be an origin/],
    [{ role: 'view', sessionId: 'x' }, /"sessionId" is not a known field/],
  ];
  for (const [body, sentence] of wrong) {
    const answer = await server.rest.call('POST', linksOf(session), body);
    t.match(answer, { status: 400, body: { error: { code: 'invalid_request', message: sentence } } });
  }
  for (const ttl of ['60s', '60000ms', '1m', '24h', '1440m']) await revoke((await makeLink({ role: 'view', ttl })).id);
});

t.test('a session takes a hundred live links and no more', async (t) => {
  const links = await Promise.all(
    Array.from({ length: LIMITS.viewerLinksPerSession }, () => makeLink({ role: 'view' })),
  );
  const response = await server.rest.fetch(linksOf(session), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"role":"view"}',
  });
  t.equal(envelopeFault('rate_limited', response.status, await response.text()), undefined);
  t.match(response.headers.get('retry-after'), /^\d+$/);
  await Promise.all(links.map(({ id }) => revoke(id)));
  await revoke((await makeLink({ role: 'view' })).id);
});

t.test('a revocation outlives the process that was killed after it', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const environment = { RUNCLOUD_API_KEY: TEST_KEY };
  const first = serverProgram(dataDir.path, environment);
  t.teardown(() => first.signal('SIGKILL'));
  const firstUrl = await first.ready();
  const rest = new RestClient(firstUrl, TEST_KEY);
  const mine = await rest.createSession('ios');
  const [doomed, safe] = [await makeLink({ role: 'view' }, mine, rest), await makeLink({ role: 'view' }, mine, rest)];
  t.match(await rest.call('DELETE', `${linksOf(mine)}/${doomed.id}`), { status: 200 });
  first.signal('SIGKILL');
  await first.ended;
  const second = serverProgram(dataDir.path, environment);
  t.teardown(() => second.signal('SIGKILL'));
  const url = await second.ready();
  const statusOf = async (link: CreatedViewerLink) => (await fetch(link.url.replace(firstUrl, url))).status;
  t.equal(await statusOf(doomed), 401, 'revoked');
  t.equal(await statusOf(safe), 410, 'good, for a session that the kill ended');
  second.signal('SIGTERM');
  await second.ended;
  t.notMatch(first.stderr + second.stderr, /token=|v1\./, 'no token is in the log');
});
