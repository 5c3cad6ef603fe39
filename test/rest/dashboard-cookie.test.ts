import t from 'tap';
import { DashboardCookie } from '../../server/rest/dashboard-cookie.ts';

const head = (cookie?: string) => ({ header: (name: string) => (name === 'cookie' ? cookie : undefined) });

t.test('where clients see https it is bound to the host, and nothing but this site gets it', async (t) => {
  const cookie = new DashboardCookie('https://devices.example.com');
  t.equal(cookie.set('s', 60_500), '__Host-runcloud=s; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure');
  t.equal(cookie.clear(), '__Host-runcloud=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure');
});

t.test('where they do not, the name tells servers of one host apart', async (t) => {
  t.match(new DashboardCookie('http://127.0.0.1:8787').set('s', 1_000), /^runcloud-8787=s; .*SameSite=Strict$/);
  t.match(new DashboardCookie('http://devices.example.com').set('s', 1_000), /^runcloud-80=s; /);
});

t.test('the cookie by which a browser is known again has a name of its own', async (t) => {
  const cookie = new DashboardCookie('https://devices.example.com', 'browser');
  t.match(cookie.set('s', 60_500), /^__Host-runcloud-browser=s; .*HttpOnly; SameSite=Strict; Secure$/);
  const plain = new DashboardCookie('http://127.0.0.1:8787', 'browser');
  t.equal(plain.read(head('runcloud-8787=x; runcloud-8787-browser=y')), 'y');
});

t.test('it is found among others, by its whole name', async (t) => {
  const cookie = new DashboardCookie('http://127.0.0.1:8787');
  t.equal(cookie.read(head('a=1; runcloud-8787=rcs_x; b=2')), 'rcs_x');
  t.equal(cookie.read(head('runcloud-8787=one; runcloud-8787=two')), 'one');
  for (const none of [
    undefined,
    '',
    'runcloud-8788=x',
    'xruncloud-8787=x',
    'runcloud-8787',
    '=',
    ';;;',
    '__Host-runcloud=x',
  ]) {
    t.equal(cookie.read(head(none)), undefined, String(none));
  }
});
