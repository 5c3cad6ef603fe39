import { setTimeout as sleep } from 'node:timers/promises';
import type { CreatedKey } from '@runcloud/protocol';
import { CLOSE, type ErrorCode, LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { Accounts } from '../../server/account/accounts.ts';
import { systemClock } from '../../server/flow/clock.ts';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { ControlClient } from '../support/control-client.ts';
import { envelopeFault } from '../support/envelope.ts';
import { UPGRADE_HEADERS } from '../support/frames.ts';
import { startServer } from '../support/server.ts';
import { viewerToken } from '../support/viewer-token.ts';
import { exchange, requestText } from '../support/wire.ts';

const FRIEND = 'https://friend.example';
const server = await startServer();
// Another spelling of the same origin, which no browser sends.
const session = await server.rest.createSession('ios', { embedOrigins: ['https://Friend.example:443'] });
const other = await server.rest.createSession('ios');
t.teardown(() => server.close());

const PATH = `/service/ios/${session.id}/control`;
const own = new URL(session.url).searchParams.get('token') ?? '';

/** Tries an upgrade; `undefined` when it is granted, otherwise what is wrong with the refusal. */
async function refusal(
  code: ErrorCode,
  query: string,
  headers: Record<string, string>,
  path = PATH,
): Promise<string | undefined> {
  const answer = await exchange(server.url, requestText(`GET ${path}${query}`, { ...UPGRADE_HEADERS, ...headers }));
  return answer ? envelopeFault(code, answer.status, answer.body.toString()) : 'no answer';
}

t.test(
  "the token of a session's own address opens it from the server's own page and from the pages it names",
  async (t) => {
    for (const origin of [server.url, FRIEND]) {
      const client = await ControlClient.connectWithToken(server.url, session, origin);
      t.match(client.messages[0], { type: 'ready', role: 'control', session: { id: session.id } }, origin);
      await client.close();
    }
  },
);

t.test('a token opens nothing from another page, or from no page at all', async (t) => {
  const origins = [
    {},
    { Origin: 'null' },
    { Origin: 'https://evil.example' },
    { Origin: `${FRIEND}.evil.example` },
    { Origin: `${FRIEND}:8443` },
  ];
  for (const headers of origins)
    t.equal(await refusal('origin_not_allowed', `?token=${own}`, headers), undefined, JSON.stringify(headers));
});

t.test('a token that is altered, expired, or for another session opens nothing', async (t) => {
  const tokens: Record<string, string> = {
    'for another session': viewerToken(server.dataDir, other),
    expired: viewerToken(server.dataDir, session, { expiresAtMs: Date.now() - 1 }),
    'with another signature': `${own.slice(0, -1)}${own.endsWith('A') ? 'B' : 'A'}`,
    'with other claims': own.replace(/\.[^.]+\./, (claims) => `${claims.slice(0, -2)}x.`),
    'cut off': own.slice(0, -5),
    'a key': server.rest.authorization.slice(7),
    nothing: '',
  };
  for (const [name, token] of Object.entries(tokens)) {
    t.equal(
      await refusal('authentication_required', `?token=${encodeURIComponent(token)}`, { Origin: server.url }),
      undefined,
      name,
    );
  }
  t.equal(
    await refusal('authentication_required', '', { Authorization: `Bearer ${own}` }),
    undefined,
    'a token is no key',
  );
  const elsewhere = await exchange(
    server.url,
    requestText('GET /service/sessions', { Authorization: `Bearer ${own}` }),
  );
  t.equal(elsewhere?.status, 401, 'and opens no REST route');
});

t.test(
  'a plain request to the control socket is answered that an upgrade is required, with a key and with a token',
  async (t) => {
    const byKey = { Authorization: server.rest.authorization };
    t.equal(await refusal('upgrade_required', '', { ...byKey, 'Sec-WebSocket-Protocol': 'other' }), undefined);
    t.equal(await refusal('upgrade_required', '', { ...byKey, 'Sec-WebSocket-Version': '8' }), undefined);
    t.equal(await refusal('upgrade_required', '', { ...byKey, 'Sec-WebSocket-Key': 'too-short' }), undefined);
    t.equal(await refusal('upgrade_required', '', { ...byKey, 'Sec-WebSocket-Key': '*'.repeat(24) }), undefined);
    t.equal(
      await refusal('upgrade_required', `?token=${own}`, { Origin: FRIEND, 'Sec-WebSocket-Key': 'too-short' }),
      undefined,
    );
    const answer = await exchange(server.url, requestText(`GET ${PATH}`, byKey));
    t.equal(answer?.headers.get('upgrade'), 'websocket');
  },
);

t.test('a view token shows and never controls; a client that goes on trying is closed with 1008', async (t) => {
  const url = new URL(session.url);
  url.searchParams.set('token', viewerToken(server.dataDir, session, { role: 'view' }));
  const client = await ControlClient.connectWithToken(server.url, { ...session, url: url.href }, FRIEND);
  t.match(client.messages[0], { role: 'view' });
  client.send({ type: 'ping', id: 1 });
  await client.next('pong');
  client.send({ type: 'screenshot', requestId: 'look' });
  t.match(await client.result('look'), { ok: true, result: { contentType: 'image/png' } });
  t.match(await client.interact({ requestId: 'touch', action: 'tap', x: 0.5, y: 0.5 }), {
    ok: false,
    error: { code: 'control_role_required' },
  });
  client.send({ type: 'cancel', requestId: 'touch' });
  t.match(await client.next('error'), { code: 'control_role_required', requestId: 'touch' });
  const before = (await server.inspect('ios', session.id)).foreground;
  for (let index = 0; index < LIMITS.refusedMessagesPerMinute; index++) {
    client.send({ type: 'interaction', requestId: `touch-${index}`, action: 'pressButton', button: 'home' });
  }
  t.equal((await client.closed).code, CLOSE.policy.code);
  t.equal((await server.inspect('ios', session.id)).foreground, before);
});

t.test('a socket is closed with 4401 when its token expires', async (t) => {
  const url = new URL(session.url);
  url.searchParams.set('token', viewerToken(server.dataDir, session, { expiresAtMs: Date.now() + 5_000 }));
  const client = await ControlClient.connectWithToken(server.url, { ...session, url: url.href }, FRIEND);
  t.equal((await client.closed).code, CLOSE.revoked.code);
});

t.test('revoking a key from another process closes the sockets that it opened, and no others', async (t) => {
  const store = new Store(databasePath(server.dataDir));
  t.teardown(() => store.close());
  const { key, keyId } = new Accounts(store, systemClock).createKey('local', 'short-lived');
  const doomed = await ControlClient.connect(server.url, session, `Bearer ${key}`);
  const safe = await ControlClient.connect(server.url, session, server.rest.authorization);
  new Accounts(store, systemClock).revokeKey(keyId);
  t.same(await doomed.closed, { code: CLOSE.revoked.code, reason: CLOSE.revoked.reason });
  t.equal(await refusal('authentication_required', '', { Authorization: `Bearer ${key}` }), undefined);
  t.match(await safe.interact({ requestId: 'still-here', action: 'tap', x: 0.5, y: 0.5 }), { ok: true });
  await safe.close();
});

t.test('a socket stays open for as long as its key lives, however long that is', async (t) => {
  for (const ttl of ['24h', '600h', '720h', '8760h']) {
    const { body } = await server.rest.call<CreatedKey>('POST', '/service/account/keys', { name: ttl, ttl });
    const client = await ControlClient.connect(server.url, session, `Bearer ${body.key}`);
    await sleep(50);
    client.send({ type: 'ping', id: 7 });
    const outcome = await Promise.race([client.next('pong', ({ id }) => id === 7), client.closed]);
    t.match(outcome, { type: 'pong' }, ttl);
    await client.close();
    await server.rest.call('DELETE', `/service/account/keys/${body.id}`);
  }
});
