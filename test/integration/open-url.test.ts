import { setTimeout as sleep } from 'node:timers/promises';
import type { Acknowledgement, OpenUrlResult, SessionRecord } from '@runcloud/protocol';
import { PLATFORMS } from '@runcloud/protocol/terms';
import t from 'tap';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { ControlClient } from '../support/control-client.ts';
import { envelopeFault, sentenceOf } from '../support/envelope.ts';
import { startServer } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const sessions: Record<'ios' | 'android', SessionRecord> = {
  ios: await server.rest.createSession('ios'),
  android: await server.rest.createSession('android'),
};
const addressOf = ({ platform, id }: SessionRecord) => `/service/${platform}/${id}/open-url`;
const post = <T = OpenUrlResult>(session: SessionRecord, body: unknown) =>
  server.rest.call<T>('POST', addressOf(session), body);
const connect = (session: SessionRecord) => ControlClient.connect(server.url, session, server.rest.authorization);
const JSON_TYPE = { 'Content-Type': 'application/json' };

t.test('a bad URL is refused over both, with the place of its fault, and nothing is opened', async (t) => {
  const { ios } = sessions;
  await post(ios, { url: 'https://before.example/' });
  const socket = await connect(ios);
  const bad: readonly (readonly [string, RegExp])[] = [
    ['', /^"url" must not be empty/],
    ['/relative', /is relative/],
    ['https%3A%2F%2Fexample.com', /is relative/],
    ['1app://x', /malformed scheme/],
    ['javascript:alert(1)', /"javascript"/],
    ['https://example.com/a b', /index 21/],
    ['https://example.com/%', /"%" at index 20/],
    ['https://', /no hostname/],
    [`https://example.com/${'a'.repeat(4_077)}`, /4097 characters/],
  ];
  for (const [index, [url, sentence]] of bad.entries()) {
    const response = await server.rest.fetch(addressOf(ios), {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ url }),
    });
    const text = await response.text();
    t.equal(envelopeFault('invalid_url', response.status, text), undefined, url.slice(0, 40));
    t.match(sentenceOf(text), sentence);
    const requestId = `bad-${index}`;
    socket.send({ type: 'open-url', requestId, url });
    t.match(await socket.result(requestId), {
      ok: false,
      action: 'open-url',
      status: 'failed',
      platform: 'ios',
      sessionId: ios.id,
      device: ios.device.id,
      leaseId: ios.leaseId,
      error: { code: 'invalid_url', message: sentence, retryable: false },
    });
  }
  t.match(await server.inspect('ios', ios.id), { app: { address: 'https://before.example/' } });
  const half = { method: 'POST', headers: JSON_TYPE, body: '{"url":"https://a/\\ud83d"}' };
  const response = await server.rest.fetch(addressOf(ios), half);
  const text = await response.text();
  t.equal(envelopeFault('invalid_url', response.status, text), undefined);
  t.match(sentenceOf(text), /^"url" has half of a surrogate pair at index 10;/);
  socket.send({ type: 'open-url', requestId: 'no-url' });
  t.match(await socket.result('no-url'), { error: { code: 'invalid_url', message: /"url" is required/ } });
  socket.send({ type: 'open-url', requestId: 'more', url: 'https://a/', timeoutMs: 100 });
  t.match(await socket.result('more'), { error: { code: 'invalid_url', message: /"timeoutMs" is not a known field/ } });
  await socket.close();
});

t.test('the checks come in their order, and each failure is the envelope', async (t) => {
  const here = addressOf(sessions.ios);
  const nowhere = '/service/ios/ses_0123456789ABCDEFGHIJKL/open-url';
  const cases: readonly (readonly [Parameters<typeof envelopeFault>[0], string, RequestInit])[] = [
    ['authentication_required', nowhere, { method: 'POST', headers: { Authorization: 'Bearer no' }, body: 'x' }],
    ['method_not_allowed', nowhere, { method: 'GET' }],
    ['active_session_not_found', nowhere, { method: 'POST', headers: JSON_TYPE, body: '{"url":"file:"}' }],
    ['active_session_not_found', here.replace('ios', 'android'), { method: 'POST', headers: JSON_TYPE, body: '{}' }],
    ['unsupported_media_type', here, { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'https://a/' }],
    ['invalid_url', here, { method: 'POST', headers: JSON_TYPE, body: 'https://a/' }],
    ['invalid_url', here, { method: 'POST', headers: JSON_TYPE, body: '{"url":"https://a/","timeoutMs":100}' }],
  ];
  for (const [code, path, init] of cases) {
    const response = await server.rest.fetch(path, init);
    t.equal(envelopeFault(code, response.status, await response.text()), undefined, `${code} ${path}`);
  }
  const { body } = await server.rest.call<Acknowledgement>('POST', nowhere, { url: 'https://a/' });
  t.match(body, { action: 'open-url', platform: 'ios', sessionId: 'ses_0123456789ABCDEFGHIJKL', requestId: /^req_/ });
  t.notOk('leaseId' in body, 'of a session that is not there nothing is known');
});

t.test('a released session is not found; one whose lease ended under it says so, to its owner alone', async (t) => {
  const session = await server.rest.createSession('ios');
  await server.rest.releaseSession(session.id);
  t.match(await post(session, { url: 'https://a/' }), {
    status: 404,
    body: { error: { code: 'active_session_not_found' } },
  });
  const store = new Store(databasePath(server.dataDir));
  // As a lost device leaves it.
  store.sessions.update(session.id, { status: 'failed' });
  store.close();
  t.match(await post(session, { url: 'https://a/' }), {
    status: 410,
    body: {
      ok: false,
      action: 'open-url',
      device: session.device.id,
      leaseId: session.leaseId,
      error: { code: 'simulator_session_ended', retryable: false },
    },
  });
  const { rest } = server.addAccount('somebody');
  t.match(await rest.call('POST', addressOf(session), { url: 'https://a/' }), { status: 404 });
});

t.test(
  'a sleeping iOS device fails with a reason and a time to come again; an Android device opens behind',
  async (t) => {
    for (const platform of PLATFORMS) {
      await server.rest.interact(sessions[platform], { action: 'pressButton', button: 'power' });
      t.equal((await server.inspect(platform, sessions[platform].id)).screen, 'off');
    }
    const refused = await post<Acknowledgement>(sessions.ios, { url: 'https://dark.example/' });
    t.match(refused, {
      status: 502,
      body: { error: { code: 'ios_open_url_failed', retryable: true, message: /screen is off/ } },
    });
    t.equal(refused.headers.get('retry-after'), '1');
    t.equal((await post(sessions.android, { url: 'https://dark.example/' })).status, 200);
    for (const platform of PLATFORMS) {
      await server.rest.interact(sessions[platform], { action: 'pressButton', button: 'power' });
    }
    t.match(await server.inspect('android', sessions.android.id), { app: { address: 'https://dark.example/' } });
    t.equal((await post(sessions.ios, { url: 'https://dark.example/' })).status, 200, 'awake it takes the same URL');
  },
);

t.test('a URL that is sent after a tap is opened after it, over any mixture of callers', async (t) => {
  const { ios } = sessions;
  const [backend, socket] = [await connect(ios), await connect(ios)];
  // A finger that is down holds the queue until it is lifted.
  const touch = { type: 'pointer', requestId: 'finger', points: [{ x: 0.5, y: 0.5 }] };
  backend.send({ ...touch, phase: 'begin' });
  await backend.next('dispatched');
  socket.send({ type: 'open-url', requestId: 'order', url: 'https://order.example/' });
  // The messages of one socket are handled in order.
  socket.send({ type: 'ping', id: 1 });
  await socket.next('pong');
  const pressed = server.rest.interact(ios, { action: 'pressButton', button: 'home' });
  await sleep(150);
  backend.send({ ...touch, phase: 'end' });
  const [one, opened, two] = [await backend.result('finger'), await socket.result('order'), await pressed];
  t.ok(one.completedAt <= opened.completedAt && opened.completedAt <= two.body.completedAt);
  t.ok(opened.durationMs >= 100, 'it waited for the finger');
  t.equal((await server.inspect('ios', ios.id)).foreground, 'home');
  t.same(
    socket.answers.filter((answer) => 'requestId' in answer && answer.requestId === 'order').map(({ type }) => type),
    ['result'],
    'the result is all that is said of it',
  );
  await Promise.all([backend.close(), socket.close()]);
});

t.test(
  'the same request again is answered with the first result, also on another socket, and opens nothing',
  async (t) => {
    const { android } = sessions;
    const first = await connect(android);
    first.send({ type: 'open-url', requestId: 'again', url: 'https://again.example/' });
    const result = await first.result('again');
    await post(android, { url: 'https://later.example/' });
    const second = await connect(android);
    second.send({ type: 'open-url', requestId: 'again', url: 'https://again.example/' });
    t.strictSame(await second.result('again'), result);
    t.match(await server.inspect('android', android.id), { app: { address: 'https://later.example/' } });
    second.send({ type: 'open-url', requestId: 'again-2', url: 'https://x.example/' });
    await second.result('again-2');
    second.send({ type: 'interaction', requestId: 'again-2', action: 'reload' });
    const clash = (message: { requestId?: string; ok: boolean }) => message.requestId === 'again-2' && !message.ok;
    t.match(await second.next('result', clash), { error: { code: 'duplicate_request' } });
    await Promise.all([first.close(), second.close()]);
  },
);

t.test('a viewer that may only watch is refused, and ready says what the lease permits', async (t) => {
  const limited = await startServer({ RUNCLOUD_OPEN_URL: 'ios' });
  t.teardown(() => limited.close());
  const ios = await limited.rest.createSession('ios');
  const link = await limited.rest.call<{ url: string }>('POST', `/service/sessions/${ios.id}/viewer-links`, {
    role: 'view',
  });
  const viewer = await ControlClient.connectWithToken(limited.url, { ...ios, url: link.body.url }, limited.url);
  viewer.send({ type: 'open-url', requestId: 'view', url: 'https://a.example/' });
  t.match(await viewer.result('view'), { ok: false, action: 'open-url', error: { code: 'control_role_required' } });
  t.equal((await limited.inspect('ios', ios.id)).foreground, 'home');
  t.match(await viewer.next('ready'), { capabilities: { openUrl: true } });
  await viewer.close();

  const android = await limited.rest.createSession('android');
  const socket = await ControlClient.connect(limited.url, android, limited.rest.authorization);
  t.match(await socket.next('ready'), { capabilities: { openUrl: false } });
  socket.send({ type: 'open-url', requestId: 'scope', url: 'https://a.example/' });
  const failure = {
    ok: false,
    action: 'open-url',
    leaseId: android.leaseId,
    error: { code: 'open_url_scope_required' },
  };
  t.match(await socket.result('scope'), failure);
  const answer = await limited.rest.call('POST', addressOf(android), { url: 'https://a.example/' });
  t.match(answer, { status: 403, body: { ...failure, platform: 'android', device: android.device.id } });
  t.equal((await limited.rest.call('POST', addressOf(ios), { url: 'https://a.example/' })).status, 200);
  t.equal((await limited.inspect('android', android.id)).foreground, 'home');
  await socket.close();
});

t.test('opened URLs are counted among the interactions', async (t) => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  t.match(text, /runcloud_interactions_total\{platform="ios",action="open-url",status="completed"\} \d+/);
});
