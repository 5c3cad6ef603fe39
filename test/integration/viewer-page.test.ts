import type { CreatedViewerLink } from '@runcloud/protocol';
import t from 'tap';
import { envelopeFault } from '../support/envelope.ts';
import { startServer } from '../support/server.ts';
import { viewerToken } from '../support/viewer-token.ts';
import { exchange, requestText } from '../support/wire.ts';

const FRIEND = 'https://friend.example';
const PARTNER = 'https://partner.example';
const server = await startServer();
t.teardown(() => server.close());
const session = await server.rest.createSession('android', { embedOrigins: [FRIEND] });

const directive = (response: Response, name: string) =>
  (response.headers.get('content-security-policy') ?? '').split('; ').find((line) => line.startsWith(name));

t.test("a session's url shows the viewer to whoever has it", async (t) => {
  const response = await fetch(session.url);
  const html = await response.text();
  t.equal(response.status, 200);
  t.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  t.equal(response.headers.get('cache-control'), 'no-store');
  t.equal(response.headers.get('referrer-policy'), 'no-referrer');
  t.match(html, `data-session="${session.id}" data-platform="android" data-role="control"`);
  t.notMatch(html, /token|v1\./, 'the page repeats no token');
  const { host } = new URL(server.url);
  t.equal(directive(response, 'connect-src'), `connect-src 'self' ws://${host} wss://${host}`);
  t.equal(directive(response, 'frame-ancestors'), `frame-ancestors 'self' ${FRIEND}`);
  const head = await fetch(session.url, { method: 'HEAD' });
  t.match([head.status, await head.text()], [200, '']);
});

t.test("a link's url may be framed by the link's origin too, and shows nothing once it is revoked", async (t) => {
  const path = `/service/sessions/${session.id}/viewer-links`;
  const { body: link } = await server.rest.call<CreatedViewerLink>('POST', path, {
    role: 'view',
    embedOrigin: PARTNER,
  });
  const shown = await fetch(link.url);
  t.equal(directive(shown, 'frame-ancestors'), `frame-ancestors 'self' ${FRIEND} ${PARTNER}`);
  t.match(await shown.text(), `data-role="view" data-embed-origins="${FRIEND} ${PARTNER}"`);
  await server.rest.call('DELETE', `${path}/${link.id}`);
  t.equal((await fetch(link.url)).status, 401);
});

t.test('a token that opens nothing gets a page that says so and repeats nothing', async (t) => {
  const good = new URL(session.url).searchParams.get('token') ?? '';
  const other = await server.rest.createSession('ios');
  const tokens: Record<string, string | undefined> = {
    none: undefined,
    altered: `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`,
    expired: viewerToken(server.dataDir, session, { expiresAtMs: Date.now() - 1 }),
    'of another session': viewerToken(server.dataDir, other),
    'of a link that nobody made': viewerToken(server.dataDir, session, { linkId: 'lnk_0123456789ABCDEFGHIJKL' }),
    'a key': server.rest.authorization.slice(7),
    markup: '<script>alert(1)</script>',
  };
  for (const [name, token] of Object.entries(tokens)) {
    const query = token === undefined ? '' : `?token=${encodeURIComponent(token)}`;
    const response = await fetch(`${server.url}/view/${session.id}${query}`);
    const html = await response.text();
    t.equal(response.status, 401, name);
    t.equal(response.headers.get('content-type'), 'text/html; charset=utf-8', name);
    t.match(html, /<h1>This link does not open a session<\/h1>/, name);
    t.notMatch(html, /<script|v1\.|ses_/, name);
    if (token !== undefined) t.notOk(html.includes(token), name);
  }
});

t.test('a session that has ended has a page that says so', async (t) => {
  const short = await server.rest.createSession('ios');
  await server.rest.releaseSession(short.id);
  const response = await fetch(short.url);
  t.equal(response.status, 410);
  t.match(await response.text(), '<h1>This session has ended</h1>');
});

t.test('everything that the pages load is there', async (t) => {
  const html = await (await fetch(session.url)).text();
  const loaded = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
  t.same(loaded.sort(), ['/viewer/app.js', '/viewer/style.css']);
  for (const path of [...loaded, '/viewer/notice.css']) {
    const response = await fetch(`${server.url}${path}`);
    t.equal(response.status, 200, path);
    t.ok((await response.text()).length > 0, path);
  }
});

t.test('a file has a strong tag, needs no key, and HEAD tells of it without sending it', async (t) => {
  const path = `${server.url}/viewer/notice.css`;
  const [one, two] = await Promise.all([fetch(path), fetch(path)]);
  t.equal(one.headers.get('content-encoding'), 'gzip', 'in a form that this client takes');
  t.match(one.headers.get('etag'), /^"[\w-]{43}-gzip"$/);
  t.equal(one.headers.get('etag'), two.headers.get('etag'));
  t.equal(one.headers.get('cache-control'), 'no-cache');
  t.equal(one.headers.get('content-type'), 'text/css; charset=utf-8');
  t.equal(await one.text(), await two.text());
  const head = await fetch(path, { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
  t.match([head.status, head.headers.get('etag'), await head.text()], [200, one.headers.get('etag'), '']);
});

t.test('a file that the browser has already is answered with 304', async (t) => {
  const asked = (headers: Record<string, string>) =>
    exchange(server.url, requestText('GET /viewer/notice.css', headers));
  for (const headers of [{}, { 'Accept-Encoding': 'gzip' }, { 'Accept-Encoding': 'br' }]) {
    const etag = (await asked(headers))?.headers.get('etag') ?? '';
    const answer = await asked({ ...headers, 'If-None-Match': etag });
    t.match(answer, { status: 304 });
    t.equal(answer?.body.length, 0);
    t.equal(answer?.headers.get('etag'), etag);
  }
});

t.test('a file that there is none of is not found, with or without a key', async (t) => {
  for (const name of ['main.ts', 'app.js.map', '__proto__', '..', '%2e%2e%2fapp.js']) {
    const answer = await exchange(server.url, requestText(`GET /viewer/${name}`));
    t.equal(envelopeFault('not_found', answer?.status ?? 0, answer?.body.toString() ?? ''), undefined, name);
  }
});
