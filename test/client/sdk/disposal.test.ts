import t from 'tap';
import { RunCloud } from '../../../client/sdk/index.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });

t.test(
  'a session that was created in a block is released at its end, its recording and its socket closed before',
  async (t) => {
    const seen = await (async () => {
      await using session = await cloud.sessions.create({ platform: 'ios' });
      await using control = await session.connect();
      await using recording = await session.recordings.start();
      t.same(Object.keys(recording), Object.keys(JSON.parse(JSON.stringify(recording))), 'the record is as it came');
      await session.tap(0.5, 0.5);
      return { session, control, recording };
    })();
    t.ok(seen.control.closed);
    const { status, releaseReason } = await seen.session.read();
    t.match({ status, releaseReason }, { status: 'released', releaseReason: 'requested' });
    t.equal((await seen.session.recordings.get(seen.recording.id)).status, 'ready');
  },
);

t.test('a session is released when its block throws', async (t) => {
  let id = '';
  const block = async () => {
    await using session = await cloud.sessions.create({ platform: 'android' });
    id = session.id;
    throw new Error('enough');
  };
  await t.rejects(block(), { message: 'enough' });
  t.equal((await cloud.sessions.get(id)).record.status, 'released');
});

t.test('a session that was there before stays, and only its socket is closed', async (t) => {
  await using session = await cloud.sessions.create({ platform: 'ios' });
  const controls = await (async () => {
    await using known = cloud.session(session);
    await using read = await cloud.sessions.get(session.id);
    return [await known.connect(), await read.connect()];
  })();
  t.same(
    controls.map(({ closed }) => closed),
    [true, true],
  );
  t.equal((await session.read()).status, 'active');
  const control = await (async () => {
    using control = await session.connect();
    return control;
  })();
  t.ok(control.closed);
});

t.test('a live finger is lifted where it is, unless it was lifted before', async (t) => {
  await using session = await cloud.sessions.create({ platform: 'ios' });
  const finger = await (async () => {
    await using finger = await session.pointer({ x: 0.5, y: 0.9 });
    finger.move({ x: 0.5, y: 0.6 });
    return finger;
  })();
  t.match((await finger.result).result, { pointCount: 1 });
  const ended = await (async () => {
    await using finger = await session.pointer({ x: 0.5, y: 0.9 });
    await finger.end({ x: 0.5, y: 0.8 });
    return finger;
  })();
  t.equal((await ended.result).status, 'completed');
  const cancelled = await (async () => {
    await using finger = await session.pointer({ x: 0.5, y: 0.9 });
    finger.cancel();
    return finger;
  })();
  await t.rejects(cancelled.result, { code: 'interaction_cancelled' });
  await session.tap(0.5, 0.5);
});
