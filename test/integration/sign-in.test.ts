import type { SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { DashboardClient, withLinks } from '../support/dashboard-client.ts';
import { envelopeFault } from '../support/envelope.ts';
import { startServer } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const ADA = 'ada@example.com';
const PASSWORD = 'correct horse battery';

t.test(
  'from an invitation to a cookie: HttpOnly, SameSite=Strict, for the whole site, without a name in it',
  async (t) => {
    const browser = new DashboardClient(server.url);
    const token = withLinks(server.dataDir, (links) => links.invite(ADA).path).split('#')[1];
    const read = await browser.call('POST', '/service/account/invitations/read', { token });
    t.match(read, { status: 200, body: { email: ADA, isNew: true } });
    t.equal(browser.setCookie, '', 'reading signs nobody in');
    const accepted = await browser.call('POST', '/service/account/invitations/accept', { token, password: PASSWORD });
    t.match(accepted, { status: 200, body: { email: ADA, name: ADA, credential: { kind: 'dashboard', id: /^sgn_/ } } });
    const { port } = new URL(server.url);
    t.match(
      browser.setCookie,
      new RegExp(`^runcloud-${port}=rcs_\\w{38}; Max-Age=604\\d{3}; Path=/; HttpOnly; SameSite=Strict$`),
    );
    t.notMatch(JSON.stringify(accepted.body), /rcs_/, 'no script sees it');
    t.same((await browser.call('GET', '/service/sessions')).body, { sessions: [] });
    const other = { token, password: `${PASSWORD} 2` };
    const again = await browser.fetch('POST', '/service/account/invitations/accept', other);
    t.equal(envelopeFault('sign_in_link_invalid', again.status, await again.text()), undefined);
  },
);

t.test('signing in gives another cookie and ends the one before; signing out ends it for good', async (t) => {
  const browser = new DashboardClient(server.url);
  const enter = () => browser.call('POST', '/service/account/sign-in', { email: ADA, password: PASSWORD });
  t.equal((await enter()).status, 200);
  const first = browser.cookie;
  t.equal((await enter()).status, 200);
  const second = browser.cookie;
  t.not(first, second);
  const isIn = async (cookie: string) => {
    browser.cookie = cookie;
    return (await browser.fetch('GET', '/service/account')).status === 200;
  };
  t.notOk(await isIn(first), 'the former one is worth nothing');
  t.ok(await isIn(second));
  const out = await browser.fetch('POST', '/service/account/sign-out');
  t.equal(out.status, 200);
  t.match(browser.setCookie, /=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/);
  t.notOk(await isIn(second), 'kept by somebody, it opens nothing');
});

t.test('a planted cookie is not taken up: signing in makes a new one', async (t) => {
  const browser = new DashboardClient(server.url);
  const { port } = new URL(server.url);
  const planted = `runcloud-${port}=rcs_${'a'.repeat(38)}`;
  browser.cookie = planted;
  await browser.call('POST', '/service/account/sign-in', { email: ADA, password: PASSWORD });
  t.not(browser.cookie, planted);
  browser.cookie = planted;
  t.equal((await browser.fetch('GET', '/service/account')).status, 401);
});

t.test('a wrong password, an unknown address and bad bodies', async (t) => {
  const browser = new DashboardClient(server.url);
  const cases = [
    ['sign_in_failed', { email: ADA, password: 'wrong horse battery' }],
    ['sign_in_failed', { email: 'nobody@example.com', password: PASSWORD }],
    ['invalid_request', { email: ADA }],
    ['invalid_request', { email: 'ada', password: PASSWORD }],
    ['invalid_request', { email: ADA, password: PASSWORD, remember: true }],
    ['invalid_request', []],
  ] as const;
  for (const [code, body] of cases) {
    const response = await browser.fetch('POST', '/service/account/sign-in', body);
    t.equal(envelopeFault(code, response.status, await response.text()), undefined, JSON.stringify(body));
    t.equal(response.headers.get('set-cookie'), null);
  }
  const form = await fetch(`${server.url}/service/account/sign-in`, {
    method: 'POST',
    headers: { ...browser.own, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `email=${ADA}&password=${PASSWORD}`,
  });
  t.equal(envelopeFault('unsupported_media_type', form.status, await form.text()), undefined, 'no form can sign in');
});

t.test('a short password is refused by name and the invitation stays good', async (t) => {
  const browser = new DashboardClient(server.url);
  const token = withLinks(server.dataDir, (links) => links.invite('bob@example.com').path).split('#')[1];
  const short = await browser.call('POST', '/service/account/invitations/accept', { token, password: 'short' });
  t.match(short, { status: 400, body: { error: { message: /"password".*10 to 200/ } } });
  t.equal((await browser.fetch('POST', '/service/account/invitations/read', { token })).status, 200);
});

t.test('the cookie counts only in what the dashboard’s own pages ask for', async (t) => {
  const browser = new DashboardClient(server.url);
  await browser.enter(server.dataDir);
  const evil = 'https://evil.example';
  const { port } = new URL(server.url);
  const own = browser.own;
  const without = (name: string) => Object.fromEntries(Object.entries(own).filter(([header]) => header !== name));
  const READS: readonly (readonly [string, Record<string, string>, boolean])[] = [
    ['as a page of ours', own, true],
    ['as a picture or a link of ours', { 'Sec-Fetch-Site': 'same-origin' }, true],
    ['by a browser that says nothing', {}, true],
    ['of another site', { 'Sec-Fetch-Site': 'cross-site' }, false],
    ['of a neighbour on another port', { 'Sec-Fetch-Site': 'same-site' }, false],
    ['typed into the address bar', { 'Sec-Fetch-Site': 'none' }, false],
    ['of another origin', { Origin: evil }, false],
    ['of a sandboxed page', { Origin: 'null' }, false],
    ['of another origin that claims to be ours', { ...own, Origin: evil }, false],
  ];
  for (const [name, headers, allowed] of READS) {
    for (const path of ['/service/sessions', '/service/account', '/service/account/keys', '/service/account/usage']) {
      const response = await browser.fetch('GET', path, undefined, headers);
      const text = await response.text();
      if (allowed) t.equal(response.status, 200, `${name} ${path}`);
      else t.equal(envelopeFault('origin_not_allowed', response.status, text), undefined, `${name} ${path}`);
    }
  }
  const CHANGES: readonly (readonly [string, Record<string, string>, boolean])[] = [
    ['as a page of ours', own, true],
    ['by a browser that knows no Sec-Fetch-Site', without('Sec-Fetch-Site'), true],
    ['without the header', without('X-RunCloud-Dashboard'), false],
    ['without an origin', without('Origin'), false],
    ['of another site', { ...own, 'Sec-Fetch-Site': 'cross-site' }, false],
    ['of a neighbour on another port', { ...own, 'Sec-Fetch-Site': 'same-site' }, false],
    ['of another origin', { ...own, Origin: evil }, false],
    ['of localhost', { ...own, Origin: `http://localhost:${port}` }, false],
    ['of our name on another port', { ...own, Origin: 'http://127.0.0.1:1' }, false],
    ['of a name that begins like ours', { ...own, Origin: `${server.url}.evil.example` }, false],
    ['of a sandboxed page', { ...own, Origin: 'null' }, false],
    ['with nothing at all', {}, false],
  ];
  for (const [name, headers, allowed] of CHANGES) {
    const made = await browser.fetch('POST', '/service/account/keys', { name }, headers);
    const text = await made.text();
    if (allowed) t.equal(made.status, 201, name);
    else t.equal(envelopeFault('origin_not_allowed', made.status, text), undefined, name);
  }
  const { body } = await browser.call('GET', '/service/account/keys');
  const names = body.keys.map((key: { name: string }) => key.name);
  const allowedNames = CHANGES.filter(([, , allowed]) => allowed).map(([name]) => name);
  t.same(names.filter((name: string) => name !== 'given').sort(), allowedNames.sort(), 'nothing else was made');
});

t.test('signing in needs the same: nobody is signed in to a stranger’s account', async (t) => {
  const browser = new DashboardClient(server.url);
  const own = browser.own;
  for (const path of ['sign-in', 'sign-in-links', 'invitations/read', 'invitations/accept']) {
    for (const headers of [{}, { ...own, Origin: 'https://evil.example' }, { Origin: own.Origin ?? '' }]) {
      const response = await browser.fetch('POST', `/service/account/${path}`, { token: 'x' }, headers);
      t.equal(envelopeFault('origin_not_allowed', response.status, await response.text()), undefined, path);
    }
  }
});

t.test('a request with a key is judged by its key alone, whatever cookie and origin come along', async (t) => {
  const browser = new DashboardClient(server.url);
  await browser.enter(server.dataDir);
  const headers = { Authorization: server.rest.authorization, Origin: 'https://evil.example' };
  t.equal((await browser.fetch('GET', '/service/sessions', undefined, headers)).status, 200);
  const wrong = { ...browser.own, Authorization: 'Bearer wrong' };
  t.equal((await browser.fetch('GET', '/service/sessions', undefined, wrong)).status, 401, 'no second chance');
});

t.test('the cookie creates, shows and releases sessions, and opens no control socket', async (t) => {
  const browser = new DashboardClient(server.url);
  await browser.enter(server.dataDir);
  const { status, body: session } = await browser.call<SessionRecord>('POST', '/service/sessions', { platform: 'ios' });
  t.equal(status, 201);
  t.equal((await browser.fetch('GET', `/service/ios/${session.id}/screenshot`)).status, 200);
  const control = await browser.fetch('GET', `/service/ios/${session.id}/control`);
  t.equal(control.status, 401);
  t.match((await browser.call('DELETE', `/service/sessions/${session.id}`)).body, { status: 'released' });
});

t.test('where clients see https, the cookie is Secure and bound to the host', async (t) => {
  const origin = 'https://devices.example.com';
  const secure = await startServer({ RUNCLOUD_PUBLIC_URL: origin, RUNCLOUD_DEVICES: 'virtual-ios:1' });
  t.teardown(() => secure.close());
  const token = withLinks(secure.dataDir, (links) => links.signIn('local').path).split('#')[1];
  const headers = { Origin: origin, 'X-RunCloud-Dashboard': '1' };
  const browser = new DashboardClient(secure.url);
  await browser.fetch('POST', '/service/account/sign-in-links', { token }, headers);
  t.match(
    browser.setCookie,
    /^__Host-runcloud=rcs_\w{38}; Max-Age=604\d{3}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
  t.equal((await browser.fetch('GET', '/service/account', undefined, headers)).status, 200);
});

t.test('too many failures: 429 with Retry-After, the same for an address that nobody has', async (t) => {
  const told: unknown[] = [];
  for (const email of [ADA, 'nobody2@example.com']) {
    const browser = new DashboardClient(server.url);
    const attempt = () => browser.call('POST', '/service/account/sign-in', { email, password: 'x' });
    // At once: a slow machine takes longer for one than the first wait is.
    const answers = await Promise.all(Array.from({ length: 8 }, attempt));
    const last = answers.find(({ status }) => status !== 401) ?? (await attempt());
    t.equal(last.status, 429, email);
    t.match(last.headers.get('retry-after'), /^[1-9]\d*$/);
    const { code, retryable } = last.body.error;
    told.push({ code, retryable });
  }
  t.same(told, [told[0], told[0]]);
});
