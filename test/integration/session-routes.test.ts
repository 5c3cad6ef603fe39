import type { SessionRecord } from '@runcloud/protocol';
import { ERRORS } from '@runcloud/protocol/terms';
import t from 'tap';
import { envelopeFault } from '../support/envelope.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:2,virtual-android:1' });
t.teardown(() => server.close());
const { rest } = server;

interface List {
  readonly sessions: readonly SessionRecord[];
}

/** Creates a session, releases it, and gives what the creation answered. */
async function brief(options: Record<string, unknown>): Promise<SessionRecord> {
  const record = await rest.createSession('ios', options);
  await rest.releaseSession(record.id);
  return record;
}

async function post(
  body: unknown,
  key?: string,
): Promise<{ status: number; headers: Headers; body: SessionRecord; text: string }> {
  const headers = { 'Content-Type': 'application/json', ...(key === undefined ? {} : { 'Idempotency-Key': key }) };
  const response = await rest.fetch('/service/sessions', { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text), text };
}

t.test('a session has its defaults filled in, an absolute signed address, and is never stored by caches', async (t) => {
  const { status, headers, body } = await post({ platform: 'ios' });
  t.equal(status, 201);
  t.equal(headers.get('cache-control'), 'no-store');
  t.match(body, {
    platform: 'ios',
    status: 'active',
    orientation: 'portrait',
    inactivityTimeoutMs: 600_000,
    hardTimeoutMs: 7_200_000,
    installAssets: [],
    labels: {},
  });
  t.equal(body.sessionId, body.id);
  t.match(body.id, /^ses_\w{22}$/);
  t.match(body.leaseId, /^lse_\w{22}$/);
  t.match(body.device, { driver: 'virtual', id: /^dev_\w{22}$/, model: /^Virtual/ });
  t.ok(body.url.startsWith(`${server.url}/view/${body.id}?token=`));
  await rest.releaseSession(body.id);
});

t.test('a timeout may be as short and as long as its range says, and not a step beyond', async (t) => {
  t.match(await brief({ inactivityTimeout: '30s', hardTimeout: '1m' }), {
    inactivityTimeoutMs: 30_000,
    hardTimeoutMs: 60_000,
  });
  t.match(await brief({ inactivityTimeout: '24h', hardTimeout: '86400s' }), {
    inactivityTimeoutMs: 86_400_000,
    hardTimeoutMs: 86_400_000,
  });
  t.match(await brief({ inactivityTimeout: '30000ms' }), { inactivityTimeoutMs: 30_000 });
  const wrong = [
    '29s',
    '29999ms',
    '86401s',
    '86400001ms',
    '25h',
    '0s',
    '-30s',
    '30',
    '30 s',
    '1.5h',
    '1h30m',
    '',
    'forever',
    '1e3s',
    '30S',
    30_000,
    null,
  ];
  for (const inactivityTimeout of wrong) {
    const { status, text } = await post({ platform: 'ios', inactivityTimeout });
    t.equal(
      envelopeFault('invalid_session_request', status, text),
      undefined,
      `inactivityTimeout ${inactivityTimeout}`,
    );
    t.match(text, /inactivityTimeout.*30s to 24h/);
  }
  for (const hardTimeout of ['59s', '86400001ms', '2d']) {
    const { status, text } = await post({ platform: 'ios', hardTimeout });
    t.equal(envelopeFault('invalid_session_request', status, text), undefined, `hardTimeout ${hardTimeout}`);
    t.match(text, /hardTimeout.*1m to 24h/);
  }
});

t.test('the list is newest first and filtered by platform and status', async (t) => {
  const old = await rest.createSession('ios', { labels: { n: 'old' } });
  const android = await rest.createSession('android');
  const newest = await rest.createSession('ios');
  await rest.releaseSession(old.id);
  const ids = async (query: string) =>
    (await rest.call<List>('GET', `/service/sessions${query}`)).body.sessions.map(({ id }) => id);
  t.same((await ids('')).slice(0, 3), [newest.id, android.id, old.id]);
  t.same(await ids('?status=active'), [newest.id, android.id]);
  t.same(await ids('?platform=android&status=active'), [android.id]);
  t.same(await ids('?platform=android&status=failed'), []);
  t.ok((await ids('?status=released&platform=ios')).includes(old.id));
  for (const query of ['?status=alive', '?platform=IOS', '?status=']) {
    const response = await rest.fetch(`/service/sessions${query}`);
    t.equal(envelopeFault('invalid_session_request', response.status, await response.text()), undefined, query);
  }
  await rest.releaseSession(android.id);
  await rest.releaseSession(newest.id);
});

t.test(
  'a released session can be read, says when and why it ended, and releasing it again changes nothing',
  async (t) => {
    const { id } = await rest.createSession('ios', { labels: { team: 'a' } });
    const first = await rest.releaseSession(id);
    t.match(first, {
      status: 200,
      body: { id, status: 'released', releaseReason: 'requested', labels: { team: 'a' } },
    });
    t.ok(Date.parse(first.body.releasedAt ?? '') >= Date.parse(first.body.createdAt));
    const again = await rest.releaseSession(id);
    const { url: _first, ...before } = first.body;
    const { url: _again, ...after } = again.body;
    t.same(after, before);
    t.match(await rest.call('GET', `/service/sessions/${id}`), { status: 200, body: { status: 'released' } });
  },
);

t.test('releases of one session at the same time all answer with the same record', async (t) => {
  const { id } = await rest.createSession('ios');
  const answers = await Promise.all(Array.from({ length: 10 }, () => rest.releaseSession(id)));
  t.same(new Set(answers.map(({ status, body }) => `${status} ${body.status} ${body.releasedAt}`)).size, 1);
});

t.test('the same idempotency key gives the same session, also at the same time and after its end', async (t) => {
  const body = { platform: 'ios', labels: { a: 'b' } };
  const [one, two] = await Promise.all([post(body, 'key-1'), post(body, 'key-1')]);
  t.same([one.status, two.status].sort(), [200, 201]);
  t.equal(one.body.id, two.body.id);
  await rest.releaseSession(one.body.id);
  t.match(await post(body, 'key-1'), { status: 200, body: { id: one.body.id, status: 'released' } });
  const other = await post({ platform: 'ios' }, 'key-1');
  t.equal(envelopeFault('duplicate_request', other.status, other.text), undefined);
});

t.test('an idempotency key has 1 to 200 printable characters', async (t) => {
  const longest = await post({ platform: 'ios' }, 'k'.repeat(200));
  t.equal(longest.status, 201);
  await rest.releaseSession(longest.body.id);
  for (const key of ['k'.repeat(201), 'a\tb', 'h\u00e9y']) {
    const { status, text } = await post({ platform: 'ios' }, key);
    t.equal(envelopeFault('invalid_session_request', status, text), undefined, key.slice(0, 10));
  }
});

t.test('when no device is free a caller is told to come back, and a released device is free again', async (t) => {
  const taken = [await rest.createSession('ios'), await rest.createSession('ios')];
  const { status, headers, text } = await post({ platform: 'ios' });
  t.equal(envelopeFault('simulator_capacity_unavailable', status, text), undefined);
  t.ok(ERRORS.simulator_capacity_unavailable.retryable);
  t.ok(Number(headers.get('retry-after')) >= 1);
  await rest.releaseSession(taken[0]?.id ?? '');
  const free = await rest.createSession('ios');
  for (const { id } of [...taken.slice(1), free]) await rest.releaseSession(id);
});

t.test(
  'a session names its model and system when they are asked for, and refuses those that there are not',
  async (t) => {
    const { device } = await brief({});
    t.match(await brief({ deviceModel: device.model, osVersion: device.osVersion }), {
      device: { model: device.model },
    });
    const { status, text } = await post({ platform: 'ios', osVersion: '99.9' });
    t.equal(envelopeFault('invalid_session_request', status, text), undefined);
    t.ok(text.includes(device.osVersion), 'the sentence tells what there is');
  },
);

t.test('an asset that does not exist is named', async (t) => {
  const { status, text } = await post({ platform: 'ios', installAssets: ['ast_0'] });
  t.equal(envelopeFault('asset_not_found', status, text), undefined);
  t.match(text, /installAssets\[0\]/);
});
