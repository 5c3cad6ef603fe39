import t, { type Test } from 'tap';
import { isCapacityError, RunCloud, RunCloudError } from '../../../client/sdk/index.ts';
import { NOBODY_URL } from '../../support/nobody.ts';
import { answerJson, failure, type Script, startScriptedHttp } from '../../support/scripted-http.ts';

const KEY = 'a-key-that-nobody-else-gets';

async function scripted(t: Test, script: Script) {
  const service = await startScriptedHttp(t, script);
  const cloud = new RunCloud({ apiKey: KEY, baseUrl: service.url });
  return { service, cloud, session: cloud.session({ id: 'ses_1', platform: 'ios' }) };
}

/** The error with which a call rejects, which must be one of this package. */
async function rejected(call: Promise<unknown>): Promise<RunCloudError> {
  const error: unknown = await call.then(
    () => new Error('it resolved'),
    (caught: unknown) => caught,
  );
  if (error instanceof RunCloudError) return error;
  throw error;
}

const tap = { ok: true, requestId: 'r', status: 'completed', action: 'tap' };

t.test('a failure has every field that the service told', async (t) => {
  const { session } = await scripted(t, (_request, response) => {
    const more = {
      sessionId: 'ses_1',
      platform: 'ios',
      action: 'gesture',
      status: 'cancelled',
      result: { dispatchedSteps: 3 },
    };
    answerJson(response, 409, failure('interaction_cancelled', false, more), { 'Retry-After': '2' });
  });
  const error = await rejected(session.tap(0.5, 0.5));
  t.match(error, {
    name: 'RunCloudError',
    message: 'It is interaction_cancelled.',
    operation: 'interact',
    status: 409,
    code: 'interaction_cancelled',
    detail: 'It is interaction_cancelled.',
    retryable: false,
    details: { result: { dispatchedSteps: 3 } },
    requestId: 'req_1',
    sessionId: 'ses_1',
    platform: 'ios',
    action: 'gesture',
    interactionStatus: 'cancelled',
    acceptedAt: '2026-01-02T03:04:05.006Z',
    completedAt: '2026-01-02T03:04:05.016Z',
    durationMs: 10,
    suggestedAction: 'Do something.',
    retryAfterMs: 2_000,
  });
  t.notMatch(JSON.stringify(error) + String(error.stack), KEY);
  t.same(JSON.parse(JSON.stringify(error)).error, {
    code: 'interaction_cancelled',
    message: 'It is interaction_cancelled.',
    retryable: false,
    action: 'Do something.',
  });
});

t.test('only the capacity failure of session creation is a capacity error', async (t) => {
  let status = 503;
  let code = 'simulator_capacity_unavailable';
  let retryable = true;
  const { cloud, session } = await scripted(t, (_request, response) =>
    answerJson(response, status, failure(code, retryable)),
  );
  const create = () => cloud.sessions.create({ platform: 'ios' });
  t.equal(isCapacityError(await rejected(create())), true);
  t.equal(isCapacityError(await rejected(session.tap(0, 0))), false, 'of an interaction');
  t.equal(isCapacityError(await rejected(cloud.sessions.get('ses_1'))), false, 'of another session call');
  code = 'service_draining';
  t.equal(isCapacityError(await rejected(create())), false, 'another 503');
  code = 'simulator_capacity_unavailable';
  retryable = false;
  t.equal(isCapacityError(await rejected(create())), false, 'one that is not safe to repeat');
  [status, retryable] = [500, true];
  t.equal(isCapacityError(await rejected(create())), false, 'another status');
  t.equal(isCapacityError(new Error('simulator_capacity_unavailable')), false);
  t.equal(isCapacityError({ status: 503, code: 'simulator_capacity_unavailable', retryable: true }), false);
});

t.test('a call whose answer was lost is made again under the same id, until it is answered', async (t) => {
  const { session, cloud, service } = await scripted(t, ({ method }, response, index) => {
    if (index % 3 !== 2) response.destroy();
    else answerJson(response, 200, method === 'POST' ? { ...tap, id: 'ses_1', platform: 'ios' } : {});
  });
  await session.tap(0.5, 0.5);
  const bodies = service.seen.map(({ body }) => body.toString());
  t.equal(bodies.length, 3);
  t.equal(new Set(bodies).size, 1, 'request id included');
  await cloud.sessions.create({ platform: 'ios' });
  const keys = service.seen.slice(3).map(({ headers }) => headers['idempotency-key']);
  t.equal(keys.length, 3);
  t.equal(new Set(keys).size, 1);
  t.match(keys[0], /^req_/);
});

t.test('a request that would have a second effect is not repeated', async (t) => {
  const { session, cloud, service } = await scripted(t, (_request, response) => void response.destroy());
  t.match(await rejected(session.openUrl('https://a.example/')), {
    code: 'open_url_transport_error',
    action: 'open-url',
    retryable: true,
  });
  t.match(await rejected(cloud.assets.upload(new Uint8Array(5))), { code: 'transport_error' });
  t.match(await rejected(cloud.sessions.links.create('ses_1', { role: 'view' })), { code: 'transport_error' });
  t.equal(service.seen.length, 3);
});

t.test('a service that is gone is told of, with what was asked', async (t) => {
  const cloud = new RunCloud({ apiKey: KEY, baseUrl: NOBODY_URL });
  const error = await rejected(cloud.session({ id: 'ses_1', platform: 'android' }).tap(0, 0, { requestId: 'mine' }));
  t.match(error, {
    code: 'interaction_transport_error',
    retryable: true,
    status: undefined,
    requestId: 'mine',
    sessionId: 'ses_1',
    platform: 'android',
    action: 'tap',
    interactionStatus: 'failed',
    acceptedAt: undefined,
  });
  t.ok(error.cause, 'with what the runtime said');
});

t.test('a service that does not answer in time is told of, shortly after its own timeout', async (t) => {
  const { session } = await scripted(t, () => undefined);
  t.match(await rejected(session.tap(0, 0, { timeoutMs: 100 })), {
    code: 'interaction_timeout',
    interactionStatus: 'timed_out',
    retryable: true,
  });
  t.match(await rejected(session.screenshot({ timeoutMs: 100 })), {
    code: 'screenshot_timeout',
    action: 'screenshot',
    interactionStatus: 'timed_out',
  });
});

t.test('an answer that arrives byte by byte is waited for within the same time', async (t) => {
  const { session } = await scripted(t, async (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  });
  t.match(await rejected(session.tap(0, 0, { timeoutMs: 100 })), { code: 'interaction_timeout' });
});

t.test('an abort rejects with its reason, before the call, in it, and while the answer comes', async (t) => {
  const reason = new Error('the reason');
  let controller = new AbortController();
  const { session, service } = await scripted(t, (_request, response, index) => {
    if (index === 1) response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
    setTimeout(() => controller.abort(reason), 200);
  });
  await t.rejects(session.tap(0, 0, { signal: AbortSignal.abort(reason) }), reason);
  t.equal(service.seen.length, 0);
  for (const moment of ['in the call', 'in the answer']) {
    controller = new AbortController();
    const caught = await session.tap(0, 0, { signal: controller.signal }).catch((error: unknown) => error);
    t.equal(caught, reason, moment);
  }
  t.equal(service.seen.length, 2, 'an abort is not repeated');
});

t.test('a service that lies is not believed', async (t) => {
  const html = '<html>a proxy</html>';
  const lies: readonly [string, Script][] = [
    [
      'a page instead of JSON',
      (_q, response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end(html),
    ],
    [
      'JSON that is none',
      (_q, response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{'),
    ],
    ['a list', (_q, response) => answerJson(response, 200, [])],
    ['a failure without an error', (_q, response) => answerJson(response, 400, { ok: false })],
    ['a failure of a proxy', (_q, response) => void response.writeHead(502, { 'Content-Type': 'text/html' }).end(html)],
    ['an empty answer', (_q, response) => void response.writeHead(204).end()],
  ];
  for (const [name, script] of lies) {
    const { session, cloud, service } = await scripted(t, script);
    t.match(await rejected(session.tap(0, 0)), { code: 'interaction_invalid_response', retryable: false }, name);
    t.match(await rejected(cloud.sessions.list()), { code: 'invalid_response' }, name);
    t.equal(service.seen.length, 2, `${name}: asked once each`);
  }
  const { cloud } = await scripted(t, (_q, response) => answerJson(response, 200, { platform: 'windows' }));
  t.match(await rejected(cloud.sessions.get('ses_1')), { code: 'invalid_response' }, 'a session of no platform');
  t.match(await rejected(cloud.session({ id: 's', platform: 'ios' }).recordings.list()), { code: 'invalid_response' });
});

t.test('a redirect is not followed, so that the key stays here', async (t) => {
  const elsewhere = await startScriptedHttp(t, (_request, response) => answerJson(response, 200, tap));
  const { session } = await scripted(t, (_request, response) => {
    response.writeHead(307, { Location: `${elsewhere.url}/service` }).end();
  });
  t.match(await rejected(session.tap(0, 0)), { code: 'interaction_invalid_response' });
  t.match(await rejected(session.screenshot()), { code: 'screenshot_invalid_response' });
  t.same(elsewhere.seen, []);
});

t.test('a screenshot that is cut off, no PNG, or of another type is not handed on', async (t) => {
  const half = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  for (const [type, body] of [
    ['image/png', half],
    ['image/png', Buffer.from('<html>')],
    ['image/jpeg', half],
    ['text/html', half],
  ] as const) {
    const { session } = await scripted(
      t,
      (_q, response) => void response.writeHead(200, { 'Content-Type': type }).end(body),
    );
    t.match(await rejected(session.screenshot()), { code: 'screenshot_invalid_response', action: 'screenshot' });
  }
  const { session, service } = await scripted(t, (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': '5000' }).write(half);
    setTimeout(() => response.destroy(), 20);
  });
  t.match(await rejected(session.screenshot()), { code: 'screenshot_transport_error' }, 'a connection that broke');
  t.equal(service.seen.length, 4, 'and was asked again');
});

t.test('a clipboard is what the service says of it, and an answer without a text is not believed', async (t) => {
  const answers = [{ text: 'another' }, { text: 'long', truncated: true }, { text: 7 }, {}];
  const { session, service } = await scripted(t, (_request, response) =>
    answerJson(response, 200, answers.shift() ?? {}),
  );
  t.strictSame(await session.clipboard.write('mine'), { text: 'another' });
  t.strictSame(await session.clipboard.read(), { text: 'long', truncated: true });
  const wrong = { code: 'interaction_invalid_response', sessionId: session.id, platform: session.platform };
  t.match(await rejected(session.clipboard.read()), { ...wrong, action: 'clipboard.get' });
  t.match(await rejected(session.clipboard.write('')), { ...wrong, action: 'clipboard.set' });
  t.strictSame(
    service.seen.map(({ method, path, body }) => [method, path, String(body)]),
    [
      ['PUT', '/service/ios/ses_1/clipboard', '{"text":"mine"}'],
      ['GET', '/service/ios/ses_1/clipboard', ''],
      ['GET', '/service/ios/ses_1/clipboard', ''],
      ['PUT', '/service/ios/ses_1/clipboard', '{"text":""}'],
    ],
  );
});

t.test('a clipboard is asked for again where the answer was lost', async (t) => {
  let asked = 0;
  const { session } = await scripted(t, ({ method }, response) => {
    if (++asked % 2 === 1) return void response.destroy();
    answerJson(response, 200, { text: method });
  });
  t.strictSame(await session.clipboard.write('x'), { text: 'PUT' });
  t.strictSame(await session.clipboard.read(), { text: 'GET' });
});

t.test('a URL that comes back as another one is not believed', async (t) => {
  const { session } = await scripted(t, (_request, response) =>
    answerJson(response, 200, { ok: true, url: 'https://a.example/' }),
  );
  t.match(await session.openUrl('https://a.example/'), { ok: true });
  t.match(await rejected(session.openUrl('https://a.example')), { code: 'open_url_invalid_response' });
});
