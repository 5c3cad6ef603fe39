import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { sessionRow } from '../store/session-rows.ts';
import { ControlClient } from '../support/control-client.ts';
import { envelopeFault } from '../support/envelope.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({ RUNCLOUD_RATE_LIMIT: '5/5' });
t.teardown(() => server.close());
const other = server.addAccount('other');
const session = await other.rest.createSession('ios');

t.test('a key that makes too many REST calls is told to wait, and is served again after that time', async (t) => {
  // A list would be charged for its time as well.
  const answers = await Promise.all(Array.from({ length: 40 }, () => server.rest.fetch('/service/account')));
  const refused = answers.filter(({ status }) => status !== 200);
  t.ok(answers.length - refused.length >= 10, 'a burst of twice the rate passes');
  t.ok(refused.length > 0, `${refused.length} of 40 were refused`);
  let waitSeconds = 0;
  for (const answer of refused) {
    t.equal(envelopeFault('rate_limited', answer.status, await answer.text()), undefined);
    waitSeconds = Number(answer.headers.get('retry-after'));
    t.ok(waitSeconds >= 1 && Number.isInteger(waitSeconds));
  }
  await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1_000));
  t.equal((await server.rest.fetch('/service/sessions')).status, 200);
});

t.test('one key at its limit takes nothing from another, and nothing from who needs no key', async (t) => {
  // A moment later the key may call again: it is at its limit while these are answered.
  const answers = await Promise.all(Array.from({ length: 40 }, () => server.rest.fetch('/service/sessions')));
  t.ok(answers.some(({ status }) => status === 429));
  t.equal((await other.rest.fetch('/service/sessions')).status, 200);
  t.equal((await fetch(`${server.url}/healthz`)).status, 200);
});

t.test('unauthenticated callers use up only the limit of their own network', async (t) => {
  const limited = await startServer({ RUNCLOUD_RATE_LIMIT: '5/5' });
  t.teardown(() => limited.close());
  const proxied = (network: string) => ({ 'X-Forwarded-For': network });
  const control = `/service/ios/ses_x/control`;
  const kinds: readonly (readonly [string, RequestInit])[] = [
    ['/service/sessions', {}],
    ['/service/sessions', { headers: { Authorization: 'Bearer wrong' } }],
    ['/openapi.json', {}],
    ['/metrics', {}],
    ['/dashboard', {}],
    ['/view/ses_x', {}],
    ['/retrieve/rec_x', {}],
    ['/oauth/token', { method: 'POST' }],
    [control, {}],
  ];
  for (const [index, [path, init]] of kinds.entries()) {
    const ask = async (from: string): Promise<Response> =>
      fetch(limited.url + path, { ...init, headers: { ...init.headers, ...proxied(from) } });
    const answers = await Promise.all(Array.from({ length: 25 }, () => ask(`192.0.2.${index}`)));
    const refused = answers.filter(({ status }) => status === 429);
    t.ok(refused.length > 0 && refused.length <= 15, `${path}: ${refused.length} of 25 were refused`);
    for (const answer of refused) t.match(answer.headers.get('retry-after'), /^[1-9]/);
    t.not((await ask('192.0.2.200')).status, 429, 'another network is served');
    for (const probe of ['/healthz', '/readyz']) {
      const { status } = await fetch(limited.url + probe, { headers: proxied(`192.0.2.${index}`) });
      t.equal(status, 200, 'whoever watches the service is served');
    }
  }
  const known = await limited.rest.fetch('/service/sessions', { headers: proxied('192.0.2.0') });
  t.equal(known.status, 200, 'a key has an allowance of its own');
});

t.test('a key that sends too many messages gets a result that says so for each, and the socket stays', async (t) => {
  const client = await ControlClient.connect(server.url, session, other.rest.authorization);
  const ids = Array.from({ length: 60 }, (_, index) => `r${index}`);
  for (const requestId of ids) client.send({ type: 'interaction', requestId, action: 'tap', x: 0.5, y: 0.5 });
  const results = await Promise.all(ids.map((id) => client.result(id)));
  const limited = results.filter(({ error }) => error?.code === 'rate_limited');
  t.ok(limited.length > 0 && limited.length <= 50, `${limited.length} of 60 were refused`);
  t.ok(limited.every(({ error, status }) => error?.retryable && status === 'failed'));
  t.ok(results.filter((result) => !limited.includes(result)).every(({ ok }) => ok));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  t.match(await client.interact({ requestId: 'later', action: 'tap', x: 0.5, y: 0.5 }), { ok: true });
  await client.close();
});

t.test('two sockets of one key share its allowance', async (t) => {
  const clients = await Promise.all(
    [1, 2].map(() => ControlClient.connect(server.url, session, other.rest.authorization)),
  );
  for (const client of clients) for (let id = 0; id < 30; id++) client.send({ type: 'ping', id });
  const answered = async (client: ControlClient): Promise<number> => {
    await client.next('error', ({ code }) => code === 'rate_limited');
    return client.messages.filter(({ type }) => type === 'pong').length;
  };
  const [one = 0, two = 0] = await Promise.all(clients.map(answered));
  t.ok(one + two < 30, `${one} and ${two} pings were answered`);
  for (const client of clients) client.terminate();
});

t.test('the answer to requests over a limit is delayed, for each limit', async (t) => {
  const free = await startServer();
  t.teardown(() => free.close());
  const tries = Array.from({ length: 40 }, async () => {
    const startMs = performance.now();
    const headers = { 'Content-Type': 'application/json', Origin: free.url, 'X-RunCloud-Dashboard': '1' };
    const body = '{"token":"wrong"}';
    const { status } = await fetch(`${free.url}/service/account/sign-in-links`, { method: 'POST', headers, body });
    return { status, tookMs: performance.now() - startMs };
  });
  const refused = (await Promise.all(tries)).filter(({ status }) => status === 429);
  t.ok(refused.length > 0);
  for (const { tookMs } of refused) t.ok(tookMs >= 249, `refused after ${tookMs} ms`);
});

t.test("lists wait for their account's turn, and it pays for the time that they take", async (t) => {
  const limited = await startServer({ RUNCLOUD_RATE_LIMIT: '1000000/1000000', RUNCLOUD_CHECK_ANSWERS: undefined });
  t.teardown(() => limited.close());
  const store = new Store(databasePath(limited.dataDir));
  t.teardown(() => store.close());
  const { body: account } = await limited.rest.call<{ id: string }>('GET', '/service/account');
  const row = { accountId: account.id, organizationId: 'org', status: 'released', createdAtMs: Date.now() } as const;
  store.atomically(() => {
    for (let n = 0; n < LIMITS.listed.max; n++) store.sessions.insert(sessionRow({ ...row, id: `ses_${n}` }));
  });
  let refused = 0;
  let listed = 0;
  const lane = async () => {
    while (refused === 0 && listed < 5_000) {
      const response = await limited.rest.fetch('/service/sessions?limit=200');
      await response.arrayBuffer();
      if (response.status === 429) refused++;
      else listed++;
    }
  };
  await Promise.all(Array.from({ length: 10 }, lane));
  t.ok(refused > 0, `after ${listed} lists`);
  t.equal((await limited.addAccount('third').rest.fetch('/service/sessions')).status, 200, 'others do not');
});
