import t from 'tap';
import { settled } from '../support/fake-clock.ts';
import { tap } from '../support/interaction-arena.ts';
import { deferred, ScriptedDevice } from '../support/scripted-device.ts';
import { ACME, FakeSocket, openSessions, standing } from '../support/session-arena.ts';
import { WHOLE } from '../support/whole-list.ts';

t.test('a release ends the work, tells the sockets and has the device closed, in this order', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create();
  const session = arena.live(record.id);
  const story: string[] = [];
  session.connect(new FakeSocket('control', story));
  const { lastDevice } = arena;
  lastDevice.patient = true;
  const hear = (name: string) => ({
    settled: ({ status }: { status: string }) => void story.push(`${name} ${status}`),
  });
  session.interactions.submit(tap('running'), hear('running'));
  session.interactions.submit(tap('waiting'), hear('waiting'));
  await settled();
  lastDevice.close = async () => void story.push('device closed');
  const released = await arena.registry.release(ACME, record.id);
  t.match(released, { status: 'released', releaseReason: 'requested', releasedAt: '2026-05-06T07:08:09.000Z' });
  await settled();
  t.strictSame(story, ['waiting failed', 'running failed', 'session.ended requested', 'closed 4404', 'device closed']);
  t.strictSame(arena.ended, [record.id]);
  t.throws(() => arena.live(record.id), { code: 'active_session_not_found' });
});

t.test('repeated and concurrent releases tear down once and answer the same', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create();
  const ending = deferred<void>();
  arena.ending = () => ending.promise;
  let closings = 0;
  arena.lastDevice.close = async () => void closings++;
  const releases = Array.from({ length: 50 }, () => arena.registry.release(ACME, record.id));
  await arena.clock.advance(1_000);
  t.match(arena.registry.read(ACME, record.id), { status: 'releasing' });
  t.throws(() => arena.live(record.id), { code: 'active_session_not_found' });
  ending.resolve();
  const records = await Promise.all(releases);
  await arena.clock.advance(5_000);
  for (let tries = 0; tries < 10; tries++) records.push(await arena.registry.release(ACME, record.id));
  for (const one of records) t.strictSame(one, records[0]);
  t.equal(closings, 1);
  t.strictSame(arena.ended, [record.id]);
});

t.test(
  'a release waits for an interaction that the device does not let go, and no longer than its grace',
  async (t) => {
    const arena = openSessions(t);
    const { record } = await arena.create();
    arena.lastDevice.patient = true;
    arena.lastDevice.stubborn = true;
    const statuses: string[] = [];
    arena.live(record.id).interactions.submit(tap('stuck'), { settled: ({ status }) => void statuses.push(status) });
    const release = arena.registry.release(ACME, record.id);
    await arena.clock.advance(4_990);
    t.equal(await standing(release), 'pending');
    await arena.clock.advance(30);
    t.match(await release, { status: 'released', releaseReason: 'requested' });
    t.strictSame(statuses, ['failed']);
  },
);

t.test('a drain waits for devices that are on their way back, and for five seconds at most', async (t) => {
  for (const released of [true, false]) {
    const arena = openSessions({ testdir: () => t.testdir({}), teardown: (task) => t.teardown(task) });
    const devices = [deferred<void>(), deferred<void>()];
    for (const { promise } of devices) {
      const { record } = await arena.create();
      arena.lastDevice.close = () => promise;
      if (released) await arena.registry.release(ACME, record.id);
    }
    const drain = arena.registry.drain();
    devices[0]?.resolve();
    await arena.clock.advance(4_999);
    t.equal(await standing(drain), 'pending');
    if (released) devices[1]?.resolve();
    else await arena.clock.advance(1);
    await drain;
    t.strictSame(arena.faults, [], 'nothing of it is a fault of the service');
  }
});

t.test('a session that is over leaves no timer behind', async (t) => {
  const { create, registry, clock } = openSessions(t);
  const { record } = await create();
  t.equal(clock.waiting, 1);
  await registry.release(ACME, record.id);
  await settled();
  t.equal(clock.waiting, 0);
});

t.test('a session can be released while its device starts', async (t) => {
  const arena = openSessions(t);
  const slow = deferred<ScriptedDevice>();
  arena.starting = () => slow.promise;
  const creation = arena.create({ platform: 'android' });
  await settled();
  const [starting] = arena.registry.list(ACME, { status: 'starting' }, WHOLE).items;
  const released = await arena.registry.release(ACME, starting?.id ?? '');
  t.match(released, { status: 'released', releaseReason: 'requested' });
  await t.rejects(creation, { code: 'active_session_not_found' });
  arena.starting = async () => new ScriptedDevice();
  await t.resolves(arena.create({ platform: 'android' }), 'the lease is free');
  const late = new ScriptedDevice();
  slow.resolve(late);
  await settled();
  t.strictSame(late.housekeeping, ['close']);
  t.match(arena.registry.read(ACME, released.id), { status: 'released' });
});

t.test('a lost device ends its session as failed, and the acknowledgements come first', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create();
  const session = arena.live(record.id);
  const story: string[] = [];
  session.connect(new FakeSocket('view', story));
  arena.lastDevice.patient = true;
  const settledAs = ({ error }: { error?: { code: string } }) => void story.push(error?.code ?? 'completed');
  session.interactions.submit(tap('running'), { settled: settledAs });
  await settled();
  arena.lastDevice.lose('unplugged');
  await settled();
  t.strictSame(story, ['interaction_transport_error', 'session.ended device_lost', 'closed 4404']);
  t.match(arena.registry.read(ACME, record.id), { status: 'failed', releaseReason: 'device_lost' });
  await Promise.all([arena.create(), arena.create()]);
});

t.test('a host that dies fails every session of it, and their devices can be had again', async (t) => {
  const arena = openSessions(t);
  await Promise.all([arena.create(), arena.create(), arena.create({ platform: 'android' })]);
  arena.hosts[0]?.breakHost('exit code 1');
  await settled();
  for (const record of arena.registry.list(ACME, {}, WHOLE).items) {
    t.match(record, { status: 'failed', releaseReason: 'device_lost' });
  }
  await Promise.all([arena.create(), arena.create(), arena.create({ platform: 'android' })]);
  t.equal(arena.registry.list(ACME, { status: 'active' }, WHOLE).items.length, 3);
});

t.test('a device that does not let go in time fails its session', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create();
  arena.lastDevice.patient = true;
  arena.lastDevice.stubborn = true;
  const { interactions } = arena.live(record.id);
  const endings: string[] = [];
  for (const name of ['stuck', 'waiting']) {
    interactions.submit(tap(name), { settled: ({ status }) => void endings.push(`${name} ${status}`) });
  }
  interactions.cancel('stuck');
  await arena.clock.advance(5_020);
  await arena.clock.advance(5_000);
  t.match(arena.registry.read(ACME, record.id), { status: 'failed', releaseReason: 'device_unresponsive' });
  t.strictSame(endings, ['waiting failed', 'stuck cancelled']);
  t.strictSame(arena.lastDevice.order, ['stuck']);
});

t.test('a drain takes no new sessions and gives every acknowledgement before it closes', async (t) => {
  const arena = openSessions(t);
  const story: string[] = [];
  for (const platform of ['ios', 'android']) {
    const { record } = await arena.create({ platform });
    const session = arena.live(record.id);
    session.connect(new FakeSocket('control', story));
    arena.lastDevice.patient = true;
    session.interactions.submit(tap('r'), { settled: ({ status }) => void story.push(status) });
  }
  await settled();
  const drain = arena.registry.drain();
  await t.rejects(arena.create(), { code: 'service_draining', retryAfterSeconds: 10 });
  await drain;
  const perSession = ['failed', 'session.ended server_stopped', 'closed 1001'];
  t.strictSame([...story].sort(), [...perSession, ...perSession].sort());
  for (const step of perSession.slice(1)) t.ok(story.indexOf('failed') < story.indexOf(step));
  for (const record of arena.registry.list(ACME, {}, WHOLE).items) {
    t.match(record, { status: 'released', releaseReason: 'server_stopped' });
  }
});

t.test('a drain does not wait for a device that starts, and leaves nothing of it', async (t) => {
  const arena = openSessions(t);
  const slow = deferred<ScriptedDevice>();
  arena.starting = () => slow.promise;
  const creation = arena.create();
  await settled();
  await arena.registry.drain();
  await t.rejects(creation, { code: 'service_draining' });
  t.match(arena.registry.list(ACME, {}, WHOLE).items[0], { status: 'failed', releaseReason: 'server_stopped' });
  const late = new ScriptedDevice();
  slow.resolve(late);
  await settled();
  t.strictSame(late.housekeeping, ['releaseAll', 'close']);
  t.equal(arena.clock.waiting, 0);
});

t.test('a release keeps the device until what belongs to the session has come to its end', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create();
  const story: string[] = [];
  const ending = deferred<void>();
  arena.ending = ({ facts, status }) => {
    story.push(`${facts.id === record.id} ${status}`);
    return ending.promise;
  };
  arena.lastDevice.close = async () => void story.push('device closed');
  const session = arena.live(record.id);
  session.connect(new FakeSocket('control', story));
  const release = arena.registry.release(ACME, record.id);
  await arena.clock.advance(1_000);
  t.equal(await standing(release), 'pending');
  t.strictSame(story, ['true releasing']);
  arena.registry.tell(record.id, { type: 'event', event: 'orientation', orientation: 'portrait' });
  ending.resolve();
  await release;
  await settled();
  t.strictSame(story, ['true releasing', 'orientation', 'session.ended requested', 'closed 4404', 'device closed']);
  arena.registry.tell(record.id, { type: 'event', event: 'orientation', orientation: 'portrait' });
  arena.registry.touch(record.id);
  t.equal(story.length, 5, 'a session that has ended is told nothing');
});

t.test('a device comes free whatever goes wrong with what its session leaves behind', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create();
  const fault = new Error('the disk is full');
  arena.ending = () => Promise.reject(fault);
  t.match(await arena.registry.release(ACME, record.id), { status: 'released' });
  t.strictSame(arena.faults, [fault]);
  await settled();
  t.strictSame(arena.lastDevice.housekeeping.at(-1), 'close');
});

t.test('a session that expires, fails or is drained waits for what belongs to it as a released one does', async (t) => {
  for (const [how, reason, end] of [
    ['expires', 'inactivity_timeout', async (arena: ReturnType<typeof openSessions>) => arena.clock.advance(31_000)],
    ['fails', 'device_lost', async (arena: ReturnType<typeof openSessions>) => arena.lastDevice.lose('unplugged')],
    ['is drained', 'server_stopped', (arena: ReturnType<typeof openSessions>) => arena.registry.drain()],
  ] as const) {
    const arena = openSessions({ testdir: () => t.testdir({}), teardown: (task) => t.teardown(task) });
    const { record } = await arena.create({ inactivityTimeout: '30s' });
    const ending = deferred<void>();
    let asked = 0;
    arena.ending = () => {
      asked++;
      return ending.promise;
    };
    // Nothing but the drain is waited for by somebody.
    const ended = { over: end(arena) };
    if (how !== 'is drained') await ended.over;
    await arena.clock.advance(1_000);
    t.strictSame([asked, arena.registry.read(ACME, record.id).status], [1, 'releasing'], how);
    ending.resolve();
    await ended.over;
    await arena.clock.advance(1);
    t.equal(arena.registry.read(ACME, record.id).releaseReason, reason);
  }
});
