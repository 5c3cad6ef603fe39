import { SessionRecord } from '@runcloud/protocol';
import { Value } from '@sinclair/typebox/value';
import t from 'tap';
import { DeviceFault } from '../../server/device/fault.ts';
import { settled } from '../support/fake-clock.ts';
import { deferred, ScriptedDevice } from '../support/scripted-device.ts';
import { ACME, OTHER, openSessions, standing } from '../support/session-arena.ts';
import { WHOLE } from '../support/whole-list.ts';

t.test('a new session is active, complete and stored', async (t) => {
  const { create, registry } = openSessions(t);
  const { created, record } = await create({ labels: { run: '12' }, inactivityTimeout: '90s', hardTimeout: '1h' });
  t.equal(created, true);
  t.equal(Value.Check(SessionRecord, record), true);
  t.match(record, {
    id: /^ses_[0-9A-Za-z]{22}$/,
    sessionId: record.id,
    status: 'active',
    url: `http://test/view/${record.id}`,
    device: { id: /^dev_/, model: 'Scripted Phone', driver: 'scripted' },
    leaseId: /^lse_/,
    createdAt: '2026-05-06T07:08:09.000Z',
    expiresAt: '2026-05-06T07:09:39.000Z',
    inactivityTimeoutMs: 90_000,
    hardTimeoutMs: 3_600_000,
    labels: { run: '12' },
  });
  t.strictSame(registry.read(ACME, record.id), record);
  t.strictSame(registry.list(ACME, {}, WHOLE).items, [record]);
});

t.test('a model or version that no device has is refused with what there is', async (t) => {
  const { create } = openSessions(t);
  const refused = (body: object, message: string) =>
    t.rejects(create(body), { code: 'invalid_session_request', message });
  await refused({ deviceModel: 'Scripted Tablet' }, '"deviceModel" must be one of Scripted Phone.');
  await refused({ osVersion: '2.0' }, '"osVersion" must be one of 1.0.');
  await refused({ deviceModel: 'Scripted Phone', osVersion: '9' }, '"osVersion" must be one of 1.0.');
  await t.resolves(create({ deviceModel: 'Scripted Phone', osVersion: '1.0' }));
});

t.test('when every device is taken the answer tells when to come back, and a released one can be had', async (t) => {
  const { create, registry } = openSessions(t);
  const [{ record }] = await Promise.all([create(), create()]);
  await t.rejects(create(), { code: 'simulator_capacity_unavailable', retryAfterSeconds: 5, retryable: true });
  await t.resolves(create({ platform: 'android' }));
  await registry.release(ACME, record.id);
  const again = (await create()).record;
  t.equal(again.device.id, record.device.id);
  t.not(again.leaseId, record.leaseId);
});

t.test('a refused creation leaves no record and does not use up its key', async (t) => {
  const { create, registry } = openSessions(t);
  const { record } = await create({ platform: 'android' });
  await t.rejects(create({ platform: 'android' }, 'key'), { code: 'simulator_capacity_unavailable' });
  t.equal(registry.list(ACME, {}, WHOLE).items.length, 1);
  await registry.release(ACME, record.id);
  t.match(await create({ platform: 'android' }, 'key'), { created: true });
});

t.test('a device that does not start fails the session and frees the lease', async (t) => {
  const arena = openSessions(t);
  arena.starting = async () => {
    throw new DeviceFault('failed', 'The emulator has no image.');
  };
  for (let tries = 0; tries < 3; tries++) {
    await t.rejects(arena.create(), { code: 'simulator_unavailable', retryable: true });
  }
  t.match(arena.registry.list(ACME, {}, WHOLE).items[0], { status: 'failed', releaseReason: 'device_start_failed' });
  arena.starting = async () => new ScriptedDevice();
  await t.resolves(arena.create());
});

t.test('a device that takes longer than two minutes is given up, and closed when it comes after all', async (t) => {
  const arena = openSessions(t);
  const slow = deferred<ScriptedDevice>();
  arena.starting = () => slow.promise;
  const creation = arena.create();
  await arena.clock.advance(119_999);
  t.equal(await standing(creation), 'pending');
  t.match(arena.registry.list(ACME, {}, WHOLE).items[0], { status: 'starting' });
  await arena.clock.advance(1);
  await t.rejects(creation, { code: 'simulator_unavailable' });
  const device = new ScriptedDevice();
  slow.resolve(device);
  await settled();
  t.strictSame(device.housekeeping, ['close']);
  t.match(arena.registry.list(ACME, {}, WHOLE).items[0], { status: 'failed', releaseReason: 'device_start_failed' });
});

t.test('a host that dies while the device starts fails the session', async (t) => {
  const arena = openSessions(t);
  arena.starting = () => new Promise(() => undefined);
  const creation = arena.create();
  await settled();
  arena.hosts[0]?.breakHost('exit code 1');
  await t.rejects(creation, { code: 'simulator_unavailable' });
  arena.starting = async () => new ScriptedDevice();
  await t.resolves(arena.create());
  t.equal(arena.hosts.length, 2, 'on a new host');
});

t.test('a repeated key gives the session that it made, whatever became of it', async (t) => {
  const { create, registry, devices } = openSessions(t);
  const { record } = await create({ labels: { a: '1', b: '2' } }, 'key');
  t.strictSame(await create({ labels: { a: '1', b: '2' } }, 'key'), { created: false, record });
  await registry.release(ACME, record.id);
  t.match(await create({ labels: { a: '1', b: '2' } }, 'key'), {
    created: false,
    record: { id: record.id, status: 'released' },
  });
  t.equal(devices.length, 1);
});

t.test('the key of a session whose device did not start makes another one', async (t) => {
  const arena = openSessions(t);
  const { starting } = arena;
  arena.starting = async () => {
    throw new DeviceFault('failed', 'It does not start.');
  };
  await t.rejects(arena.create({}, 'build 7'), { code: 'simulator_unavailable', retryable: true });
  arena.starting = starting;
  t.match(await arena.create({}, 'build 7'), { created: true, record: { status: 'active' } });
});

t.test('the same body in another order of its fields is the same body', async (t) => {
  const { create } = openSessions(t);
  const { record } = await create(
    { deviceModel: 'Scripted Phone', labels: { a: '1', b: '2' }, osVersion: '1.0' },
    'key',
  );
  const again = await create({ osVersion: '1.0', labels: { b: '2', a: '1' }, deviceModel: 'Scripted Phone' }, 'key');
  t.match(again, { created: false, record: { id: record.id } });
});

t.test('a key with another body is refused, and another account has keys of its own', async (t) => {
  const { create } = openSessions(t);
  const { record } = await create({}, 'key');
  await t.rejects(create({ hardTimeout: '1h' }, 'key'), { code: 'duplicate_request' });
  const foreign = await create({}, 'key', OTHER);
  t.equal(foreign.created, true);
  t.not(foreign.record.id, record.id);
});

t.test('concurrent creations with one key make one session', async (t) => {
  const arena = openSessions(t);
  const slow = deferred<ScriptedDevice>();
  arena.starting = () => slow.promise;
  const creations = Array.from({ length: 10 }, () => arena.create({}, 'key'));
  const other = arena.create({ hardTimeout: '1h' }, 'key');
  await t.rejects(other, { code: 'duplicate_request' });
  slow.resolve(new ScriptedDevice());
  const outcomes = await Promise.all(creations);
  t.equal(outcomes.filter(({ created }) => created).length, 1);
  t.equal(new Set(outcomes.map(({ record }) => record.id)).size, 1);
  t.equal(arena.registry.list(ACME, {}, WHOLE).items.length, 1);
});

t.test('a device that is lost as soon as it is open never leaves a session that seems alive', async (t) => {
  for (let hops = 0; hops < 30; hops++) {
    const arena = openSessions(t);
    arena.starting = async () => {
      const device = new ScriptedDevice();
      const loseAfter = (left: number) => queueMicrotask(() => (left > 0 ? loseAfter(left - 1) : device.lose('')));
      loseAfter(hops);
      return device;
    };
    await arena.create().catch(() => undefined);
    await settled();
    const [record] = arena.registry.list(ACME, {}, WHOLE).items;
    if (hops > 3) t.match(record, { status: 'failed', releaseReason: /device_lost|device_start_failed/ });
    t.equal(arena.registry.list(ACME, { status: 'releasing' }, WHOLE).items.length, 0);
  }
});
