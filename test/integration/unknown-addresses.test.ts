import { ROUTES, type Route } from '@runcloud/protocol';
import t from 'tap';
import { envelopeFault } from '../support/envelope.ts';
import { startServer } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const OUTSIDE = [
  '/',
  '/favicon.ico',
  '/robots.txt',
  '/admin',
  '/service-worker.js',
  '/oauth',
  '/oauth/authorize',
  '/viewer',
];

t.test('outside /service an unknown address is 404 for everybody, with the envelope for programs', async (t) => {
  for (const path of OUTSIDE) {
    for (const headers of [{}, { Authorization: 'Bearer wrong' }, { Authorization: server.rest.authorization }]) {
      const answer = await fetch(server.url + path, { headers });
      t.equal(envelopeFault('not_found', answer.status, await answer.text()), undefined, path);
      t.equal(answer.headers.get('www-authenticate'), null);
    }
  }
});

t.test('a browser is shown a page of our own look that runs nothing and repeats nothing', async (t) => {
  for (const path of ['/none', '/<script>alert(1)</script>', '/dashboard/none/of/these', '/viewer/none.js']) {
    const answer = await fetch(server.url + path, { headers: BROWSER });
    const text = await answer.text();
    t.equal(answer.status, 404, path);
    t.match(text, '<link rel="stylesheet" href="/viewer/notice.css">');
    t.notMatch(text, /<script|alert|none/);
    t.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
    const policy = answer.headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'none'"]) t.match(policy, rule);
    for (const [name, value] of [
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
      ['x-content-type-options', 'nosniff'],
    ] as const) {
      t.equal(answer.headers.get(name), value);
    }
  }
  const head = await fetch(`${server.url}/none`, { method: 'HEAD', headers: BROWSER });
  t.equal(head.status, 404);
});

t.test('below /dashboard a browser is shown the dashboard, which says that there is no such page', async (t) => {
  const home = await (await fetch(`${server.url}/dashboard`, { headers: BROWSER })).text();
  for (const path of ['/dashboard/none', '/dashboard/none/x']) {
    const answer = await fetch(server.url + path, { headers: BROWSER });
    t.strictSame([answer.status, await answer.text()], [404, home], path);
    const program = await fetch(server.url + path);
    t.equal(envelopeFault('not_found', program.status, await program.text()), undefined, path);
  }
});

t.test('below /service a key comes first, also in a browser', async (t) => {
  for (const path of [
    '/service',
    '/service/',
    '/service/none',
    '/service/ios/ses_x',
    '/service/windows/ses_x/screenshot',
  ]) {
    for (const headers of [{}, BROWSER]) {
      const stranger = await fetch(server.url + path, { headers });
      t.equal(envelopeFault('authentication_required', stranger.status, await stranger.text()), undefined, path);
      const known = await server.rest.fetch(path, { headers });
      t.equal(envelopeFault('not_found', known.status, await known.text()), undefined, path);
    }
  }
});

t.test('a wrong method is told without a key where nothing needs one, and after it below /service', async (t) => {
  const routes = Object.values(ROUTES as Record<string, Route>);
  for (const { path } of routes) {
    if (path.startsWith('/service/')) continue;
    const answer = await fetch(server.url + path, { method: 'PUT' });
    t.equal(envelopeFault('method_not_allowed', answer.status, await answer.text()), undefined, path);
    t.match(answer.headers.get('allow'), /GET|POST/);
  }
  t.equal((await fetch(`${server.url}/service/sessions`, { method: 'PUT' })).status, 401);
  t.equal((await server.rest.fetch('/service/sessions', { method: 'PUT' })).status, 405);
});
