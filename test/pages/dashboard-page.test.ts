import { ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import { DASHBOARD_PAGES, DashboardPage, ITEM_PAGES } from '../../server/pages/dashboard-page.ts';

const OWN = 'http://127.0.0.1:8787';
const head = (path: string, host = '127.0.0.1:8787', query = '') => ({
  path,
  query,
  header: (name: string) => (name === 'host' ? host : undefined),
});

t.test('each page is the same document: nobody’s data, no inline script, and nobody may frame it', async (t) => {
  const page = new DashboardPage(() => OWN);
  const first = page.serve(undefined, head('/dashboard'));
  t.equal(first.status, 200);
  for (const name of DASHBOARD_PAGES) t.strictSame(page.serve(name, head(`/dashboard/${name}`)), first, name);
  for (const name of ITEM_PAGES) t.strictSame(page.serve(name, head(`/dashboard/${name}/x`), 'x'), first, name);
  const { 'Content-Security-Policy': policy = '', ...headers } = first.headers ?? {};
  t.match(policy, "default-src 'none'; script-src 'self'; style-src 'self'");
  t.match(policy, "frame-ancestors 'none'");
  t.match(policy, "connect-src 'self' ws://127.0.0.1:8787 wss://127.0.0.1:8787;", 'live pictures come by a socket');
  t.notMatch(policy, /unsafe|\*/);
  t.match(headers, {
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  t.notMatch(String(first.body), /<script(?![^>]* src=)|<style|style=|onclick/);
});

t.test('there are no other pages', async (t) => {
  const page = new DashboardPage(() => OWN);
  for (const name of ['', 'x', 'Keys', '__proto__', 'files', '..', 'keys%2f']) {
    t.throws(() => page.serve(name, head(`/dashboard/${name}`)), new ServiceError('not_found'), name);
  }
  for (const name of ['keys', 'x', 'wall', '__proto__']) {
    t.throws(() => page.serve(name, head(`/dashboard/${name}/x`), 'x'), new ServiceError('not_found'), name);
  }
});

t.test('a browser is told in the dashboard that there is no such page', async (t) => {
  const page = new DashboardPage(() => OWN);
  const browser = {
    ...head('/dashboard/nope'),
    header: (name: string) => (name === 'accept' ? 'text/html' : undefined),
  };
  const { body } = page.serve(undefined, browser);
  t.match(page.serve('nope', browser), { status: 404, body });
  t.match(page.serve('nope', browser, 'ses_1'), { status: 404, body });
});

t.test('localhost is sent to the origin that cookies are for, with all that the address says', async (t) => {
  const page = new DashboardPage(() => OWN);
  t.match(page.serve('device', head('/dashboard/device', 'LOCALHOST:8787', 'user_code=WDJB-MJHT')), {
    status: 307,
    headers: { Location: `${OWN}/dashboard/device?user_code=WDJB-MJHT` },
  });
  for (const host of ['localhost:1', 'localhost', 'evil.example:8787', '']) {
    t.equal(page.serve(undefined, head('/dashboard', host)).status, 200, host);
  }
  const elsewhere = new DashboardPage(() => 'https://devices.example.com');
  t.equal(elsewhere.serve(undefined, head('/dashboard', 'localhost:8787')).status, 200, 'a proxy may name it so');
});
