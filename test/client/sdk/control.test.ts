import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { RunCloud, RunCloudError, type ScreenPacket, type SessionEvent } from '../../../client/sdk/index.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });

t.test('the socket says what the device can do, and measures the way to it', async (t) => {
  const session = await cloud.sessions.create({ platform: 'android' });
  const [control, same] = await Promise.all([session.connect(), session.connect()]);
  t.equal(control, same, 'there is one socket');
  t.match(control.ready, { role: 'control', session: { id: session.id }, capabilities: { actions: /tap/ } });
  t.equal('url' in control.ready.session, false);
  const { roundTripMs, serverTimeUs } = await control.ping();
  t.ok(roundTripMs >= 0 && Math.abs(serverTimeUs / 1_000 - Date.now()) < 60_000);
  session.disconnect();
  t.equal(session.control, undefined);
  await t.rejects(control.ping(), RunCloudError);
  t.match(await session.tap(0.5, 0.5), { status: 'completed' }, 'then calls go over REST');
  t.not(await session.connect(), control, 'and it can be connected again');
  await session.delete();
});

t.test('the same request twice at once has one effect, and both are told of it', async (t) => {
  const session = await cloud.sessions.create({ platform: 'ios' });
  await session.tap(0.39, 0.92);
  await session.connect();
  const answers = await Promise.all([1, 2].map(() => session.typeText('once', { requestId: 'the-same' })));
  t.same(answers[0], answers[1]);
  t.match((await server.inspect('ios', session.id)).app, { text: 'once' });
  await t.rejects(session.typeText('other', { requestId: 'the-same' }), { code: 'duplicate_request', status: 409 });
  await session.delete();
});

t.test('fingers are moved live', async (t) => {
  const session = await cloud.sessions.create({ platform: 'ios' });
  const finger = await session.pointer({ x: 0.5, y: 0.9 });
  for (let step = 1; step <= 20; step++) finger.move({ x: 0.5, y: 0.9 - step / 50 });
  t.throws(() => finger.move({ x: 0.5, y: 2 }), RangeError);
  t.throws(() => finger.move({ x: 0.5, y: 0.5 }, { x: 0.6, y: 0.5 }), RangeError, 'another number of fingers');
  t.match(await finger.end(), { status: 'completed', action: 'pointer', result: { pointCount: 1 } });
  finger.move({ x: 0, y: 0 });
  const pinch = await session.pointer([
    { x: 0.4, y: 0.5 },
    { x: 0.6, y: 0.5 },
  ]);
  pinch.cancel();
  const error: unknown = await pinch.result.catch((caught: unknown) => caught);
  t.match(error, { code: 'interaction_cancelled', interactionStatus: 'cancelled' });
  await t.rejects(session.pointer([]), RangeError);
  await session.delete();
});

t.test('events come to listeners and iterations, until the session ends', async (t) => {
  const session = await cloud.sessions.create({ platform: 'ios' });
  const control = await session.connect();
  const heard: SessionEvent[] = [];
  const off = control.on('event', (event) => heard.push(event));
  const events = control.events();
  await session.rotate('landscape_left');
  for await (const event of events) if (event.event === 'orientation') break;
  t.ok(heard.some((event) => event.event === 'orientation' && event.orientation === 'landscape_left'));
  off();
  const all = control.events();
  const closed = new Promise<RunCloudError>((resolve) => control.on('closed', resolve));
  await server.rest.releaseSession(session.id);
  t.match(await closed, { code: 'active_session_not_found', message: /requested/ });
  const names: string[] = [];
  for await (const { event } of all) names.push(event);
  t.equal(names.at(-1), 'session.ended');
  t.equal(control.closed, true);
  t.same(await control.events().next(), { done: true, value: undefined }, 'there will be none any more');
  const error: unknown = await session.tap(0.5, 0.5).catch((caught: unknown) => caught);
  t.match(error, { code: 'active_session_not_found' });
});

t.test('pictures come at the pace of who consumes them', async (t) => {
  const session = await cloud.sessions.create({ platform: 'ios' });
  const control = await session.connect();
  await session.tap(0.39, 0.92);
  const packets: ScreenPacket[] = [];
  let watching = true;
  const typing = (async () => {
    // Pictures that follow each other closely are one: so many letters that there are enough.
    while (watching) await session.typeText('a');
  })();
  for await (const packet of control.screen({ encodings: ['h264'], maxLongEdge: 640 })) {
    packets.push(packet);
    if (packets.length === 5) break;
  }
  watching = false;
  await typing;
  t.match(packets[0], { key: true, encoding: 'h264', seq: 1, codec: /^avc1\./ });
  t.ok((packets[0]?.height ?? 0) <= 640 && (packets[0]?.payload.length ?? 0) > 100);
  t.same(
    packets.map(({ seq }) => seq),
    [1, 2, 3, 4, 5],
  );
  const both = await Promise.all(
    (['jpeg', 'png'] as const).map(async (encoding) => {
      for await (const packet of control.screen({ encodings: [encoding] })) return packet.encoding;
      return undefined;
    }),
  );
  t.same(both, ['jpeg', 'png'], 'streams that are asked for at once do not get mixed up');
  t.throws(() => control.screen({ maxFps: 61 }), RangeError);
  t.throws(() => control.screen({ encodings: ['gif' as never] }), RangeError);
  const reason = new Error('enough');
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 100);
  const watchOn = async () => {
    for await (const _ of control.screen({ signal: controller.signal }));
  };
  t.equal(await watchOn().catch((error: unknown) => error), reason);
  await session.delete();
});

t.test('streams past the bound are refused, and the others go on', async (t) => {
  const session = await cloud.sessions.create({ platform: 'ios' });
  const control = await session.connect();
  const streams = [1, 2, 3, 4].map(() => control.screen({ encodings: ['jpeg'] }));
  for (const stream of streams) t.equal((await stream.next()).done, false);
  await t.rejects(control.screen({ encodings: ['jpeg'] }).next(), { code: 'rate_limited', retryable: true });
  await streams[0]?.return();
  let fifth: unknown;
  // The service counts a stream until it has heard of its end.
  for (
    const untilMs = performance.now() + 20_000;
    fifth === undefined && performance.now() < untilMs;
    await sleep(20)
  ) {
    fifth = await control
      .screen({ encodings: ['jpeg'] })
      .next()
      .catch(() => undefined);
  }
  t.match(fifth, { done: false });
  await session.delete();
});
