import t, { type Test } from 'tap';
import { type Reconnected, RunCloud, RunCloudError } from '../../../client/sdk/index.ts';
import { FlakyProxy } from '../../support/flaky-proxy.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());

/** A session over a network that can break. */
async function throughProxy(t: Test) {
  const proxy = await FlakyProxy.start(t, server.url);
  const session = await new RunCloud({ apiKey: TEST_KEY, baseUrl: proxy.url }).sessions.create({ platform: 'ios' });
  t.teardown(() => session.disconnect());
  t.teardown(() => server.rest.releaseSession(session.id));
  const back = () => new Promise<Reconnected>((resolve) => session.on('reconnected', resolve));
  const lost = () => new Promise<RunCloudError>((resolve) => session.on('lost', resolve));
  return { proxy, session, back, lost };
}

t.test('a call under way settles over the next socket, and each of its stages comes once', async (t) => {
  const { proxy, session, back } = await throughProxy(t);
  const control = await session.connect();
  const connection = control.ready.connection?.id;
  const types: string[] = [];
  const reconnected = back();
  for await (const { type } of session.stages({
    action: 'swipe',
    from: { x: 0.2, y: 0.5 },
    to: { x: 0.8, y: 0.5 },
    durationMs: 1_000,
  })) {
    types.push(type);
    if (type === 'dispatched') proxy.cut();
  }
  t.same(types, ['accepted', 'dispatched', 'result']);
  t.match(await reconnected, { resumed: true, awayMs: Number });
  t.match(control.ready, { resumed: true, connection: { id: connection, epoch: 2 } });
});

t.test('an event of the time without a socket is told', async (t) => {
  const { proxy, session, back } = await throughProxy(t);
  const control = await session.connect();
  const events: string[] = [];
  control.on('event', ({ event }) => events.push(event));
  proxy.blocked = true;
  const disconnected = new Promise<void>((resolve) => control.on('disconnected', () => resolve()));
  proxy.cut();
  await disconnected;
  const path = `/service/ios/${session.id}/interactions`;
  await server.rest.call('POST', path, { action: 'rotate', orientation: 'landscape_left' });
  t.notOk(events.includes('orientation'));
  const reconnected = back();
  proxy.blocked = false;
  t.equal((await reconnected).resumed, true);
  await control.ping();
  t.equal(events.filter((event) => event === 'orientation').length, 1);
});

t.test('a request that did not arrive is sent again, and one that did is not', async (t) => {
  const { proxy, session, back } = await throughProxy(t);
  const control = await session.connect();
  const told: string[] = [];
  const slow = session.interact({ action: 'swipe', from: { x: 0, y: 0 }, to: { x: 1, y: 1 }, durationMs: 800 });
  await control.ping();
  proxy.blocked = true;
  const disconnected = new Promise<void>((resolve) => control.on('disconnected', () => resolve()));
  proxy.cut();
  await disconnected;
  // Asked while there is no connection.
  const tap = session.tap(0.5, 0.5).then(({ status }) => told.push(status));
  const reconnected = back();
  proxy.blocked = false;
  await reconnected;
  const received = control.ready.connection?.received ?? 0;
  t.equal(received, 2, 'the swipe and the ping');
  told.push((await slow).status);
  await tap;
  t.same(told, ['completed', 'completed']);
  await control.ping();
  proxy.cut();
  await back();
  t.equal(control.ready.connection?.received, received + 2, 'only the tap and a ping were sent');
});

t.test('a picture stream keeps its number and rises on', async (t) => {
  const { proxy, session } = await throughProxy(t);
  const control = await session.connect();
  const packets: { streamId: number; seq: number; key: boolean }[] = [];
  let cuts = 0;
  for await (const { streamId, seq, key } of control.screen({ encodings: ['h264'], maxLongEdge: 320 })) {
    packets.push({ streamId, seq, key });
    if (cuts < 3) {
      proxy.cut();
      cuts++;
      continue;
    }
    break;
  }
  t.equal(packets.length, 4);
  t.same(
    packets.map(({ streamId, key }) => [streamId, key]),
    packets.map(() => [1, true]),
  );
  t.strictSame(
    packets.map(({ seq }) => seq),
    [...new Set(packets.map(({ seq }) => seq))].sort((one, other) => one - other),
  );
  await control.ping();
});

t.test('a stream that its consumer left without a socket is stopped at the next one', async (t) => {
  const { proxy, session, back } = await throughProxy(t);
  const control = await session.connect();
  const stream = control.screen({ encodings: ['jpeg'], maxLongEdge: 320 });
  await stream.next();
  proxy.blocked = true;
  const disconnected = new Promise<void>((resolve) => control.on('disconnected', () => resolve()));
  proxy.cut();
  await disconnected;
  await stream.return(undefined);
  const reconnected = back();
  proxy.blocked = false;
  await reconnected;
  // All four that a connection may have.
  const others = Array.from({ length: 4 }, (_, index) =>
    control.screen({ encodings: ['jpeg'], maxLongEdge: 330 + index }),
  );
  for (const other of others) t.equal((await other.next()).done, false);
  for (const other of others) await other.return(undefined);
});

t.test('a connection that does not come back in time is lost, and calls use REST', async (t) => {
  const { proxy, session, lost } = await throughProxy(t);
  const control = await session.connect({ reconnectMs: 700 });
  const closed = new Promise<RunCloudError>((resolve) => control.on('closed', resolve));
  proxy.withoutSockets = true;
  const gone = lost();
  proxy.cut();
  const error = await gone;
  t.ok(error instanceof RunCloudError);
  t.match(error, { code: 'transport_error', retryable: true, message: /within 700 ms/ });
  t.equal(await closed, error);
  t.equal(session.control, undefined);
  t.match(await session.tap(0.5, 0.5), { status: 'completed' });
  proxy.withoutSockets = false;
  t.notHas((await session.connect()).ready, { resumed: true });
});

t.test('a signal ends the wait, while there is one', async (t) => {
  const { proxy, session, lost } = await throughProxy(t);
  const stop = new AbortController();
  const control = await session.connect({ reconnectSignal: stop.signal });
  proxy.blocked = true;
  const gone = lost();
  const disconnected = new Promise<void>((resolve) => control.on('disconnected', () => resolve()));
  proxy.cut();
  await disconnected;
  t.equal(control.closed, false);
  stop.abort();
  t.match(await gone, { code: 'transport_error', message: /did not wait/ });
  t.equal(control.closed, true);
});

t.test('a signal that was aborted before leaves the connection alone until it is lost', async (t) => {
  const { proxy, session, lost } = await throughProxy(t);
  const control = await session.connect({ reconnectSignal: AbortSignal.abort() });
  await control.ping();
  const gone = lost();
  proxy.cut();
  t.match(await gone, { message: /did not wait/ });
});

t.test('a bound of time for the wait is checked', async (t) => {
  const { session } = await throughProxy(t);
  await t.rejects(session.connect({ reconnectMs: 0 }), RangeError);
  await t.rejects(session.connect({ reconnectMs: '1' as never }), TypeError);
  t.equal(session.control, undefined);
});
