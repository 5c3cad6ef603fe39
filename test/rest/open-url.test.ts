import { ROUTES } from '@runcloud/protocol';
import { ERRORS, ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import { DeviceFault, type DeviceFaultKind } from '../../server/device/fault.ts';
import { timestampNow } from '../../server/flow/timestamp.ts';
import { readJsonBody } from '../../server/rest/body.ts';
import type { CallTo } from '../../server/rest/call.ts';
import { postOpenUrl } from '../../server/rest/open-url.ts';
import { type Asked, ROLES } from '../../server/rest/roles.ts';
import type { Services } from '../../server/rest/services.ts';
import { settled } from '../support/fake-clock.ts';
import { ACME, openSessions } from '../support/session-arena.ts';

const BODY = Buffer.from('{"url":"https://example.com/"}');

async function open(t: Parameters<typeof openSessions>[0], contentType: string | undefined = 'application/json') {
  const arena = openSessions(t);
  const { record } = await arena.create();
  const call = {
    head: { header: (name: string) => (name === 'content-type' ? contentType : undefined) },
    owner: ACME,
    params: { platform: 'ios', sessionId: record.id },
    received: timestampNow(arena.clock),
    named: {},
  } as unknown as CallTo<'openUrl'>;
  arena.lastDevice.patient = true;
  const find = () => ROLES.leasedSession(call as unknown as Asked, { registry: arena.registry } as Services);
  const post = async (bytes: Uint8Array = BODY) => {
    const session = find();
    const body = readJsonBody(call.head, bytes, ROUTES.openUrl.body, call.named) as { url: string };
    return postOpenUrl({ ...call, session, body, query: {} }, {} as Services);
  };
  return { arena, record, call, find, post };
}

t.test('a success is 200 with the six fields and nothing else', async (t) => {
  const { arena, record, post } = await open(t);
  const reply = post();
  await settled();
  arena.lastDevice.lastOpenUrl.answer({ handler: 'browser' });
  const { status, headers, body } = await reply;
  t.equal(status, 200);
  t.match(headers, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  t.strictSame(JSON.parse(String(body)), {
    ok: true,
    platform: 'ios',
    sessionId: record.id,
    device: record.device.id,
    leaseId: record.leaseId,
    url: 'https://example.com/',
  });
});

t.test('a repeated request id opens nothing, and is answered as the first was', async (t) => {
  const { arena, post } = await open(t);
  const named = (url: string) => Buffer.from(JSON.stringify({ url, requestId: 'u-1' }));
  const first = post(named('https://example.com/'));
  await settled();
  const meanwhile = post(named('https://example.com/'));
  arena.lastDevice.lastOpenUrl.answer({ handler: 'browser' });
  const { status, body } = await first;
  t.equal(status, 200);
  t.equal(String((await meanwhile).body), String(body));
  t.equal(String((await post(named('https://example.com/'))).body), String(body));
  t.equal(arena.lastDevice.openedUrls.length, 1);
  await t.rejects(post(named('https://example.com/other')), { code: 'duplicate_request' });
  await t.rejects(post(Buffer.from('{"url":"https://example.com/","requestId":"no id"}')), { message: /requestId/ });
  t.equal(arena.lastDevice.openedUrls.length, 1);
});

const FAULTS: readonly (readonly [DeviceFaultKind, keyof typeof ERRORS])[] = [
  ['unhandled', 'ios_url_handler_not_found'],
  ['failed', 'ios_open_url_failed'],
  ['unavailable', 'simulator_unavailable'],
  ['unreachable', 'open_url_transport_error'],
  ['nonsense', 'open_url_invalid_response'],
  ['aborted', 'open_url_failed'],
];

for (const [kind, code] of FAULTS) {
  t.test(`a device that fails with "${kind}" is answered with ${code}, and when to come again`, async (t) => {
    const { arena, record, post } = await open(t);
    const reply = post();
    await settled();
    arena.lastDevice.lastOpenUrl.fail(new DeviceFault(kind, 'It says why.'));
    const { status, headers, body } = await reply;
    const { http, retryable } = ERRORS[code];
    t.equal(status, http);
    t.equal(headers?.['Retry-After'], retryable ? '1' : undefined);
    t.match(JSON.parse(String(body)), {
      ok: false,
      action: 'open-url',
      platform: 'ios',
      sessionId: record.id,
      device: record.device.id,
      leaseId: record.leaseId,
      status: 'failed',
      error: { code, retryable },
    });
  });
}

t.test('a device that does not answer in time is 504, and it is told to stop', async (t) => {
  const { arena, post } = await open(t);
  const reply = post();
  await arena.clock.advance(15_001);
  const { status, headers, body } = await reply;
  t.equal(status, 504);
  t.equal(headers?.['Retry-After'], '1');
  t.match(JSON.parse(String(body)), { action: 'open-url', status: 'timed_out', error: { code: 'open_url_timeout' } });
  t.equal(arena.lastDevice.lastOpenUrl.context.signal.aborted, true);
});

t.test('a session that ends meanwhile is 410', async (t) => {
  const { arena, record, call, find, post } = await open(t);
  arena.lastDevice.stubborn = true;
  const reply = post();
  await settled();
  const released = arena.registry.release(ACME, record.id);
  await settled();
  t.throws(find, { code: 'simulator_session_ended' }, 'one that comes while it ends');
  t.match(call.named, { device: record.device.id, leaseId: record.leaseId });
  arena.lastDevice.lastOpenUrl.fail(new DeviceFault('aborted', 'ended'));
  await released;
  const { status, body } = await reply;
  t.equal(status, 410);
  t.match(JSON.parse(String(body)), { error: { code: 'simulator_session_ended', retryable: false } });
});

t.test(
  'a body is one JSON object with a URL, and an id if the caller has one; all else is refused before the device hears of it',
  async (t) => {
    const { arena, post } = await open(t);
    const bad = ['', '{', 'null', '[]', '"https://a"', '{}', '{"url":1}', '{"url":null}', '{"url":["https://a"]}'];
    const more = [
      '{"url":"https://a/","x":1}',
      '{"url":"https://a/","requestId":""}',
      '{"url":"https://a/","requestId":1}',
      '{"requestId":"r"}',
      '{"url":"a","url":"https://a/"}',
    ];
    for (const body of [...bad, ...more, '{"url":""}', '{"url":"a b:"}', `{"url":"https://a/${'a'.repeat(4_096)}"}`]) {
      await t.rejects(post(Buffer.from(body)), { name: 'ServiceError', code: 'invalid_url' }, body.slice(0, 40));
    }
    t.strictSame(arena.lastDevice.arrivals, []);
  },
);

t.test('another media type is refused as such', async (t) => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
    const { post } = await open(t, type);
    await t.rejects(post(), new ServiceError('unsupported_media_type'), type);
  }
  const { arena, post } = await open(t, 'Application/JSON; charset=utf-8');
  const reply = post();
  await settled();
  arena.lastDevice.lastOpenUrl.answer({ handler: 'browser' });
  t.equal((await reply).status, 200);
});
