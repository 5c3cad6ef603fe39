import { CLOSE, LIMITS, newId, type ServerMessage } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = await startServer();
t.teardown(() => server.close());
const { rest, url } = server;
const { authorization } = rest;

/** A session with one client. */
async function begin(t: Test, platform: 'ios' | 'android' = 'android') {
  const session = await rest.createSession(platform);
  t.teardown(() => rest.releaseSession(session.id));
  const client = await ControlClient.connect(url, session, authorization);
  const resume = (value = client.resumeValue, by = authorization) => ControlClient.connect(url, session, by, value);
  const anotherKey = async () => {
    const { body } = await rest.call<{ key: string }>('POST', '/service/account/keys', { name: 'another' });
    return `Bearer ${body.key}`;
  };
  return { session, client, resume, anotherKey };
}

/** Cuts the socket, and waits until the service knows. */
async function cut(client: ControlClient, session: Parameters<typeof ControlClient.connect>[1]): Promise<void> {
  const looking = await ControlClient.connect(url, session, authorization);
  const counts = () => looking.messages.flatMap((message) => ('viewers' in message ? [message.viewers.control] : []));
  await looking.next('event', ({ event }) => event === 'viewers');
  const before = counts().at(-1) ?? 0;
  client.terminate();
  await until(async () => counts().at(-1) === before - 1, 'the service to miss the socket');
  await looking.close();
}

const told = ({ messages }: ControlClient) =>
  messages.slice(1).filter((message) => message.type !== 'event' || message.event !== 'viewers');
const idsOf = (messages: readonly ServerMessage[]) =>
  messages.map((message) => ('requestId' in message ? `${message.type} ${message.requestId}` : message.type));
const swipe = (requestId: string) => ({
  ...{ type: 'interaction', requestId, action: 'swipe', from: { x: 0.1, y: 0.5 }, to: { x: 0.9, y: 0.5 } },
  durationMs: 400,
});

t.test('what a client misses follows in order, each message once', async (t) => {
  const { session, client, resume } = await begin(t);
  t.match(client.ready.connection, {
    id: /^con_\w{22}$/,
    epoch: 1,
    resumeWindowMs: LIMITS.resumeWindowMs,
    received: 0,
  });
  t.notHas(client.ready, { resumed: true }, 'nobody asked');
  client.send(swipe('one'));
  client.send({ type: 'interaction', requestId: 'two', action: 'tap', x: 0.5, y: 0.5 });
  await client.next('accepted', ({ requestId }) => requestId === 'two');
  const value = client.resumeValue;
  const before = told(client);
  await cut(client, session);
  await rest.interact(session, { action: 'rotate', orientation: 'landscape_left' });
  const again = await resume(value);
  t.match(again.ready, { resumed: true, connection: { id: client.ready.connection?.id, epoch: 2, received: 2 } });
  t.notHas(again.ready, 'pending');
  await again.next('event', ({ event }) => event === 'orientation');
  t.strictSame(
    idsOf([...before, ...told(again)]).filter((id) => id !== 'event'),
    [...['accepted one', 'dispatched one', 'accepted two', 'result one', 'dispatched two', 'result two']],
  );
  again.send({ type: 'ping', id: 1 });
  await again.next('pong');
  await again.close();
});

t.test('a client that has everything is sent nothing again', async (t) => {
  const { client, resume } = await begin(t);
  await client.interact({ requestId: 'one', action: 'reload' });
  const value = client.resumeValue;
  client.terminate();
  const again = await resume(value);
  t.equal(again.ready.resumed, true);
  again.send({ type: 'ping', id: 7 });
  await again.next('pong');
  t.same(idsOf(again.answers), ['ready', 'pong']);
  await again.close();
});

t.test('the old socket is closed with 4409 when the connection goes on over another', async (t) => {
  const { client, resume } = await begin(t);
  const again = await resume();
  t.same(await client.closed, { code: CLOSE.moved.code, reason: CLOSE.moved.reason });
  t.equal(again.ready.resumed, true);
  t.match(await again.interact({ requestId: 'one', action: 'reload' }), { ok: true });
  await again.close();
});

t.test(
  'a value that is altered, outdated or of another client opens nothing, and looks like an unknown one',
  async (t) => {
    const { session, client, resume, anotherKey } = await begin(t);
    const other = await begin(t);
    const stranger = server.addAccount('resume-stranger');
    const theirs = await stranger.rest.createSession('android');
    t.teardown(() => stranger.rest.releaseSession(theirs.id));
    const { id, epoch } = client.ready.connection as { id: string; epoch: number };
    const viewer = async () => {
      const links = `/service/sessions/${session.id}/viewer-links`;
      const { body } = await rest.call<{ url: string }>('POST', links, { role: 'view' });
      return ControlClient.connectWithToken(url, { ...session, url: body.url }, new URL(url).origin, `${id}.1.0`);
    };
    const unknown = await resume(`${newId('con')}.1.0`);
    const { connection: _one, serverTimeUs: _two, session: _three, participant: _four, ...shape } = unknown.ready;
    t.match(shape, { resumed: false, pending: [] });
    const openings: Record<string, () => Promise<ControlClient>> = {
      'another session': () => ControlClient.connect(url, other.session, authorization, `${id}.1.0`),
      'another account': () => ControlClient.connect(url, theirs, stranger.rest.authorization, `${id}.1.0`),
      'an epoch to come': () => resume(`${id}.${epoch + 1}.0`),
      'an epoch before': () => resume(`${id}.0.0`),
      'more than was sent': () => resume(`${id}.1.1000000`),
      'no value': () => resume(''),
      'no numbers': () => resume(`${id}.x.y`),
      'a negative count': () => resume(`${id}.1.-1`),
      'a longer value': () => resume(`${id}.1.0.0`),
    };
    for (const [what, open] of Object.entries(openings)) {
      const one = await open();
      const { connection, serverTimeUs: _time, session: _session, participant: _who, ...rest } = one.ready;
      t.strictSame(rest, shape, what);
      t.not(connection?.id, id, what);
      await one.close();
    }
    const watching = await viewer();
    t.match(watching.ready, { role: 'view', resumed: false, pending: [] }, 'another role');
    await watching.close();
    client.send({ type: 'ping', id: 1 });
    await client.next('pong');
    const again = await resume(client.resumeValue, await anotherKey());
    t.equal(again.ready.resumed, true, 'another key of the account may, and all of them have changed nothing');
    await again.close();
    await unknown.close();
  },
);

t.test('an epoch is good until its client has spoken in the next one', async (t) => {
  const { client, resume } = await begin(t);
  const counted = async () => {
    const text = await (await rest.fetch('/metrics')).text();
    return [...text.matchAll(/^runcloud_socket_resumes_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
  };
  const [resumed = 0, refused = 0] = await counted();
  const value = client.resumeValue;
  // `ready` of the second socket may have been lost.
  const second = await resume(value);
  t.match(second.ready, { resumed: true, connection: { epoch: 2 } });
  const third = await resume(value);
  t.match(third.ready, { resumed: true, connection: { epoch: 3 } });
  t.equal((await second.closed).code, CLOSE.moved.code);
  third.send({ type: 'ping', id: 1 });
  await third.next('pong');
  const late = await resume(value);
  t.match(late.ready, { resumed: false, pending: [], connection: { epoch: 1 } });
  third.send({ type: 'ping', id: 2 });
  await third.next('pong', ({ id }) => id === 2);
  t.same(await counted(), [resumed + 2, refused + 1], 'the metrics count both');
  for (const one of [third, late]) await one.close();
});

t.test('a client that closes its socket has done with its connection, unless it closes with 4409', async (t) => {
  for (const [code, resumed] of [
    [1000, false],
    [CLOSE.moved.code, true],
    [4000, false],
  ] as const) {
    const { client, resume } = await begin(t);
    const value = client.resumeValue;
    await client.closeWith(code);
    const again = await resume(value);
    t.equal(again.ready.resumed, resumed, `${code}`);
    await again.close();
  }
});

t.test('a client that misses more than is kept is told the states of its requests', async (t) => {
  const { client, resume } = await begin(t);
  const value = client.resumeValue;
  for (let id = 0; id < LIMITS.resumeMessages; id++) client.send({ type: 'ping', id });
  await client.next('pong', ({ id }) => id === LIMITS.resumeMessages - 1);
  await client.interact({ requestId: 'done', action: 'reload' });
  for (const id of ['runs', 'waits']) client.send({ ...swipe(id), durationMs: 3_000 });
  await client.next('accepted', ({ requestId }) => requestId === 'waits');
  client.terminate();
  const again = await resume(value);
  t.equal(again.ready.resumed, false);
  t.same(again.ready.pending, [
    { requestId: 'done', state: 'ended' },
    { requestId: 'runs', state: 'running' },
    { requestId: 'waits', state: 'queued' },
  ]);
  t.not(again.ready.connection?.id, client.ready.connection?.id);
  again.send({ type: 'cancel', requestId: 'waits' });
  again.send({ ...swipe('waits'), durationMs: 3_000 });
  t.match(await again.result('waits'), { status: 'cancelled' }, 'the same id is answered');
  await again.close();
});

t.test('a revoked key ends its connections, also those without a socket', async (t) => {
  const { session } = await begin(t);
  const { body } = await rest.call<{ id: string; key: string }>('POST', '/service/account/keys', {
    name: 'short-lived',
  });
  const client = await ControlClient.connect(url, session, `Bearer ${body.key}`);
  const value = client.resumeValue;
  await cut(client, session);
  await rest.call('DELETE', `/service/account/keys/${body.id}`);
  const again = await ControlClient.connect(url, session, authorization, value);
  t.match(again.ready, { resumed: false, pending: [] });
  await again.close();
});

t.test('a live gesture ends with its socket, and the next one is told', async (t) => {
  const { session, client, resume } = await begin(t);
  client.send({ type: 'pointer', requestId: 'finger', phase: 'begin', points: [{ x: 0.5, y: 0.5 }] });
  await client.next('dispatched');
  client.terminate();
  await until(
    async () => (await server.inspect('android', session.id)).pointers.length === 0,
    'the finger to be lifted',
  );
  const again = await resume();
  t.match(await again.result('finger'), { status: 'cancelled', action: 'pointer' });
  await again.close();
});

t.test('a screen stream goes on under its number with a key picture, and no `seq` repeats', async (t) => {
  const { client, resume } = await begin(t);
  client.send({ type: 'screen.start', encodings: ['h264'], maxLongEdge: 320 });
  await until(async () => client.packets.length > 0, 'a picture');
  await client.interact({ requestId: 'one', action: 'tap', x: 0.5, y: 0.5 });
  client.terminate();
  const again = await resume();
  await until(async () => again.packets.length > 0, 'a picture');
  const [first] = again.packets;
  t.match(first, { streamId: client.packets[0]?.streamId, key: true });
  t.ok((first?.seq ?? 0) > (client.packets.at(-1)?.seq ?? 0), 'the numbers rise');
  t.match(await again.next('screen.started'), { streamId: first?.streamId }, 'told anew before it');
  again.send({ type: 'screen.ack', streamId: first?.streamId, seq: first?.seq });
  again.send({ type: 'screen.stop', streamId: first?.streamId });
  await again.next('screen.stopped');
  await again.close();
});

t.test('a participant of a token is the same one on its next socket, and keeps control', async (t) => {
  const { session, client } = await begin(t);
  const open = (value?: string) => ControlClient.connectWithToken(url, session, new URL(url).origin, value);
  const person = await open();
  person.send({ type: 'control.request', requestId: 'mine' });
  t.match(await person.result('mine'), { ok: true });
  person.terminate();
  const again = await open(person.resumeValue);
  t.match(again.ready, { resumed: true, participant: { id: person.ready.participant?.id } });
  t.match(await again.interact({ requestId: 'hers', action: 'reload' }), { ok: true });
  const refused = await client.interact({ requestId: 'theirs', action: 'reload' });
  t.match(refused, { ok: false, error: { code: 'not_in_control' } });
  const other = await open();
  t.not(other.ready.participant?.id, person.ready.participant?.id, 'without the value it would be another');
  for (const one of [again, other]) await one.close();
});

t.test('what is sent again is limited as messages of that length are', async (t) => {
  const limited = await startServer({ RUNCLOUD_RATE_LIMIT: '5000/20000' });
  t.teardown(() => limited.close());
  const session = await limited.rest.createSession('android');
  const client = await ControlClient.connect(limited.url, session, limited.rest.authorization);
  const value = client.resumeValue;
  client.send({ type: 'clipboard.set', requestId: 'long', text: 'x'.repeat(LIMITS.clipboardCharacters.max) });
  await client.result('long');
  for (let id = 0; id < 55; id++) client.send({ type: 'clipboard.get', requestId: `get-${id}` });
  await client.result('get-54');
  const wire = await ControlClient.connect(limited.url, session, limited.rest.authorization);
  const attempts = Array.from({ length: 250 }, () =>
    ControlClient.connect(limited.url, session, limited.rest.authorization, value).then(({ ready }) => ready.resumed),
  );
  const outcomes = await Promise.allSettled(attempts);
  const resumed = outcomes.filter((outcome) => outcome.status === 'fulfilled');
  t.ok(resumed.length > 3 && resumed.length < attempts.length, `${resumed.length}`);
  for (const outcome of resumed) t.equal(outcome.value, true);
  t.match(await wire.interact({ requestId: 'one', action: 'reload' }), { ok: true }, 'other sockets of the key go on');
});
