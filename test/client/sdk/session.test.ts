import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { isCapacityError, RunCloud, RunCloudError, type Stage } from '../../../client/sdk/index.ts';
import { decodePng } from '../../support/picture.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:2,virtual-android:1' });
t.teardown(() => server.close());
const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'resolved',
    (error: unknown) => (error instanceof RunCloudError ? error.code : Promise.reject(error)),
  );

t.test('sessions are created, read, listed and released', async (t) => {
  const session = await cloud.sessions.create({ platform: 'ios', hardTimeout: '5m', labels: { build: '7' } });
  t.match(session.record, { id: session.id, platform: 'ios', status: 'active', labels: { build: '7' } });
  t.match(session.url, new RegExp(`/view/${session.id}\\?token=`));
  t.same((await cloud.sessions.get(session.id)).record.id, session.id);
  const listed = await cloud.sessions.list({ platform: 'ios', status: 'active' });
  t.ok(listed.some(({ id }) => id === session.id));
  t.same(await cloud.sessions.list({ platform: 'android', status: 'active' }), []);
  t.equal((await cloud.sessions.delete(session.id)).record.status, 'released');
  t.equal((await session.delete()).status, 'released', 'repeated: the same');
  t.equal(await codeOf(session.tap(0.5, 0.5)), 'active_session_not_found');
  t.equal(await codeOf(cloud.sessions.get('ses_unknown')), 'session_not_found');
});

t.test('the same idempotency key gives the same session, and another key finds no free device', async (t) => {
  const [first, again] = await Promise.all(
    [1, 2].map(() => cloud.sessions.create({ platform: 'android' }, { idempotencyKey: 'one' })),
  );
  t.equal(first?.id, again?.id);
  const error: unknown = await cloud.sessions.create({ platform: 'android' }).catch((caught: unknown) => caught);
  t.ok(isCapacityError(error));
  t.ok(error instanceof RunCloudError && (error.retryAfterMs ?? 0) > 0, 'with the time to wait');
  await first?.delete();
});

t.test('viewer links are made, listed and taken back', async (t) => {
  const session = await cloud.sessions.create({ platform: 'ios' });
  const { links } = cloud.sessions;
  const link = await links.create(session.id, { role: 'view', ttl: '5m' });
  t.match(link, { role: 'view', url: /token=/ });
  t.same(
    (await links.list(session.id)).map(({ id }) => id),
    [link.id],
  );
  await links.revoke(session.id, link.id);
  t.same(await links.list(session.id), []);
  t.equal(await codeOf(links.revoke(session.id, 'lnk_unknown')), 'viewer_link_not_found');
  await session.delete();
});

async function until(fits: () => Promise<boolean>): Promise<void> {
  while (!(await fits())) await sleep(10);
}

for (const way of ['REST', 'the control socket'] as const) {
  t.test(`every action works over ${way}`, async (t) => {
    const session = await cloud.sessions.create({ platform: 'ios' });
    if (way !== 'REST') await session.connect();
    const point = { x: 0.5, y: 0.5 };
    const steps = [
      { phase: 'begin', points: [point] },
      { phase: 'end', points: [point] },
    ] as const;
    const answers = [
      [await session.tap(0.39, 0.92), { pointCount: 1 }],
      [await session.swipe(point, { x: 0.5, y: 0.6 }, { durationMs: 60 }), { durationMs: 60 }],
      [await session.gesture(steps), { dispatchedSteps: 2 }],
      [await session.typeText('Hello'), { characterCount: 5 }],
      [await session.pressKey('a', { modifiers: ['shift'] }), { key: 'a', modifiers: ['shift'] }],
      [await session.pressButton('volumeUp', { durationMs: 60 }), { button: 'volumeUp', durationMs: 60 }],
      [await session.rotate('landscape_left'), { orientation: 'landscape_left' }],
      [await session.setOrientation('portrait'), { orientation: 'portrait' }],
      [await session.reload(), undefined],
      [await session.reloadApp(), undefined],
      [await session.scroll(0, 0.5, { at: point }), { deltaX: 0, deltaY: 0.5 }],
      [await session.toggleSoftwareKeyboard(), undefined],
      [await session.simulateMemoryWarning(), undefined],
      [await session.setRenderDebug('colorBlendedLayers', true), { option: 'colorBlendedLayers', enabled: true }],
      [await session.interact({ action: 'tap', x: 0, y: 1 }), { pointCount: 1 }],
    ] as const;
    for (const [acknowledgement, result] of answers) {
      t.match(acknowledgement, { ok: true, status: 'completed', sessionId: session.id, platform: 'ios' });
      if (result) t.match(acknowledgement.result, result, acknowledgement.action ?? '');
      else t.notOk(acknowledgement.result, acknowledgement.action ?? '');
    }
    for (const unsupported of [
      () => session.rotateDigitalCrown(5),
      () => session.rotate('portrait_upside_down'),
      () => session.pressButton('back'),
    ]) {
      const error: unknown = await unsupported().catch((caught: unknown) => caught);
      t.match(error, { code: 'unsupported_action', status: 422, retryable: false, interactionStatus: 'failed' });
    }
    const { width, height } = await decodePng(Buffer.from(await session.screenshot()));
    t.same([width, height], [590, 1_280]);
    t.match(await session.tap(0.5, 0.5, { requestId: `mine-${way.length}` }), { requestId: `mine-${way.length}` });
    t.equal(await codeOf(session.tap(0.6, 0.5, { requestId: `mine-${way.length}` })), 'duplicate_request');
    await session.delete();
    t.equal(session.control, undefined, 'the socket goes with the session');
  });

  t.test(`an interaction is told of in stages over ${way}`, async (t) => {
    const session = await cloud.sessions.create({ platform: 'ios' });
    if (way !== 'REST') await session.connect();
    const told = async (action: 'tap' | 'rotateDigitalCrown') => {
      const stages: Stage[] = [];
      const request = action === 'tap' ? ({ action, x: 0.5, y: 0.5 } as const) : ({ action, delta: 1 } as const);
      for await (const stage of session.stages(request)) stages.push(stage);
      t.equal(new Set(stages.map(({ requestId }) => requestId)).size, 1);
      return stages.map((stage) => (stage.type === 'result' ? stage.status : stage.type));
    };
    const first = way === 'REST' ? [] : ['accepted', 'dispatched'];
    t.same(await told('tap'), [...first, 'completed']);
    t.same(await told('rotateDigitalCrown'), ['failed'], 'a failure is a result');
    await t.rejects(session.stages({ action: 'tap', x: 2, y: 0 }).next(), RangeError);
    await session.delete();
  });

  t.test(`an interaction can be cancelled, and can time out, over ${way}`, async (t) => {
    const session = await cloud.sessions.create({ platform: 'ios' });
    if (way !== 'REST') await session.connect();
    const seen = () => server.inspect('ios', session.id);
    const long = () => session.swipe({ x: 0.5, y: 0.2 }, { x: 0.5, y: 0.8 }, { durationMs: 20_000, requestId: 'long' });
    const swipe = long();
    const caught = swipe.catch((error: unknown) => error);
    // A cancel that overtakes its request is remembered: then nothing was there to cancel yet.
    await until(async () => (await seen()).pointers.length > 0);
    t.equal(await session.cancel('long'), true);
    t.match(await caught, { code: 'interaction_cancelled', status: 409, interactionStatus: 'cancelled' });
    t.equal(await session.cancel('long'), false, 'once');
    const late = { durationMs: 20_000, timeoutMs: 150 };
    t.match(await session.pressButton('power', late).catch((error: unknown) => error), {
      code: 'interaction_timeout',
      status: 504,
      interactionStatus: 'timed_out',
      sessionId: session.id,
    });
    const controller = new AbortController();
    const reason = new Error('enough');
    const hold = { durationMs: 3_000, signal: controller.signal, requestId: 'held' };
    const waiting = session.pressButton('volumeDown', hold).catch((error: unknown) => error);
    await until(async () => (await seen()).heldButtons.includes('volumeDown'));
    controller.abort(reason);
    t.equal(await waiting, reason, 'an abort ends the wait');
    const { status } = await session.pressButton('volumeDown', { durationMs: 3_000, requestId: 'held' });
    t.equal(status, 'completed', 'and not the interaction, whose outcome is there for who asks again');
    await session.delete();
  });
}

t.test('a wrong key, and another account, see nothing', async (t) => {
  const session = await cloud.sessions.create({ platform: 'ios' });
  const wrong = new RunCloud({ apiKey: 'a-key-of-nobody-at-all', baseUrl: server.url });
  const other = new RunCloud({ apiKey: server.addAccount('other').key, baseUrl: server.url });
  t.equal(await codeOf(wrong.sessions.list()), 'authentication_required');
  t.equal(await codeOf(wrong.session(session).connect()), 'authentication_required');
  t.equal(await codeOf(other.sessions.get(session.id)), 'session_not_found');
  t.equal(await codeOf(other.session(session).tap(0.5, 0.5)), 'active_session_not_found');
  t.equal(await codeOf(other.session(session).connect()), 'active_session_not_found');
  t.equal(await codeOf(cloud.session({ id: session.id, platform: 'android' }).connect()), 'active_session_not_found');
  await session.delete();
});

t.test(
  'the time to connect may be any number above 0, and what is none is refused before anything is sent',
  async (t) => {
    const session = await cloud.sessions.create({ platform: 'ios' });
    for (const timeoutMs of [Number.NaN, 0, -1, Number.NEGATIVE_INFINITY]) {
      await t.rejects(session.connect({ timeoutMs }), RangeError, `${timeoutMs}`);
    }
    await t.rejects(session.connect({ timeoutMs: '5' as never }), TypeError);
    for (const timeoutMs of [2 ** 31, 40 * 86_400_000, Number.POSITIVE_INFINITY]) {
      t.ok((await session.connect({ timeoutMs })).connected, `${timeoutMs}`);
      session.disconnect();
    }
    await session.delete();
  },
);
