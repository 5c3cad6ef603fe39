import t from 'tap';
import { DeviceFault } from '../../server/device/fault.ts';
import type { DeviceTarget } from '../../server/device/target.ts';
import { OPERATION_MS_MAX } from '../../server/host/device-lock.ts';
import { RETURN_MS_MAX } from '../../server/session/leases.ts';
import { settled } from '../support/fake-clock.ts';
import { deferred, ScriptedDevice } from '../support/scripted-device.ts';
import { ACME, openSessions, standing } from '../support/session-arena.ts';
import { WHOLE } from '../support/whole-list.ts';

const target: DeviceTarget = { driver: 'android-emulator', id: 'Pixel', facts: {}, tools: {} };
const CAPACITY = { code: 'simulator_capacity_unavailable', message: /of which 1 cannot be used at the moment/ };
const android = { platform: 'android' };

/** Sessions on one real device that was made ready. */
async function openReal(t: Parameters<typeof openSessions>[0]) {
  const arena = openSessions(t, undefined, target);
  await arena.clock.advance(0);
  await settled();
  return arena;
}

t.test(
  'a release does not wait for the reset of its device, and who creates next gets the device after it',
  async (t) => {
    const arena = await openReal(t);
    const { record } = await arena.create(android);
    const resetting = deferred<void>();
    arena.lastDevice.close = () => resetting.promise;
    t.match(await arena.registry.release(ACME, record.id), { status: 'released', releaseReason: 'requested' });
    const next = arena.create(android);
    await arena.clock.advance(59_000);
    t.equal(await standing(next), 'pending');
    t.equal(arena.devices.length, 1, 'its driver is asked for nothing else meanwhile');
    await t.rejects(arena.create(android), { code: 'simulator_capacity_unavailable' }, 'one session waits for it');
    resetting.resolve();
    t.match((await next).record, { status: 'active', device: { id: record.device.id } });
    t.equal(arena.devices.length, 2);
    t.strictSame(arena.faults, []);
  },
);

t.test('a device that nobody has is preferred to one that is on its way back', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create();
  arena.lastDevice.close = () => new Promise(() => undefined);
  await arena.registry.release(ACME, record.id);
  const next = (await arena.create()).record;
  t.not(next.device.id, record.device.id);
});

t.test('a device that is never reset is given up by its host, and offered again when it was made ready', async (t) => {
  const arena = await openReal(t);
  const { record } = await arena.create(android);
  const resetting = deferred<void>();
  arena.lastDevice.close = () => resetting.promise;
  await arena.registry.release(ACME, record.id);
  const next = arena.create(android);
  next.catch(() => undefined);
  await arena.clock.advance(OPERATION_MS_MAX.reset);
  await t.rejects(next, { code: 'simulator_unavailable', message: /did not come back from the session before/ });
  await t.rejects(arena.create(android), CAPACITY);
  await arena.clock.advance(60_000);
  await t.rejects(arena.create(android), CAPACITY, 'its driver has not let go of it');
  resetting.resolve();
  await settled();
  await arena.clock.advance(60_000);
  t.match((await arena.create(android)).record, { status: 'active' });
});

t.test('a host that hangs is not waited for for ever', async (t) => {
  t.ok(RETURN_MS_MAX > OPERATION_MS_MAX.reset, 'one that lives has its time');
  const arena = await openReal(t);
  const { record } = await arena.create(android);
  arena.hosts[0]?.hangHost();
  await arena.registry.release(ACME, record.id);
  const next = arena.create(android);
  next.catch(() => undefined);
  await arena.clock.advance(RETURN_MS_MAX - 1);
  t.equal(await standing(next), 'pending');
  await arena.clock.advance(1);
  await t.rejects(next, { code: 'simulator_unavailable' });
  await t.rejects(arena.create(android), CAPACITY);
});

t.test('the time that a session has waited for its device counts against the time limit of its opening', async (t) => {
  const arena = await openReal(t);
  const { record } = await arena.create(android);
  const resetting = deferred<void>();
  arena.lastDevice.close = () => resetting.promise;
  await arena.registry.release(ACME, record.id);
  arena.starting = () => new Promise(() => undefined);
  const next = arena.create(android);
  next.catch(() => undefined);
  await arena.clock.advance(50_000);
  resetting.resolve();
  await arena.clock.advance(OPERATION_MS_MAX.opened - 50_000 - 1);
  t.equal(await standing(next), 'pending');
  await arena.clock.advance(1);
  await t.rejects(next, { code: 'simulator_unavailable', message: /could not be opened within 110 s/ });
});

for (const kind of ['real', 'made for its session']) {
  t.test(`a session that is released while it waits leaves its device, ${kind}, to the next`, async (t) => {
    const arena = kind === 'real' ? await openReal(t) : openSessions(t);
    const { record } = await arena.create(android);
    const resetting = deferred<void>();
    arena.lastDevice.close = () => resetting.promise;
    await arena.registry.release(ACME, record.id);
    const waiting = arena.create(android);
    waiting.catch(() => undefined);
    await settled();
    const [starting] = arena.registry.list(ACME, { status: 'starting' }, WHOLE).items;
    await arena.registry.release(ACME, starting?.id ?? '');
    await t.rejects(waiting, { code: 'active_session_not_found' });
    await arena.clock.advance(1);
    resetting.resolve();
    await arena.clock.advance(1);
    t.equal(arena.devices.length, 1, 'nothing is opened for nobody');
    t.match((await arena.create(android)).record, { status: 'active' });
  });
}

t.test('a device that cannot be reset is made ready before anybody gets it', async (t) => {
  const arena = await openReal(t);
  const { record } = await arena.create(android);
  arena.lastDevice.close = async () => {
    throw new DeviceFault('unavailable', 'The apps cannot be listed.');
  };
  t.match(await arena.registry.release(ACME, record.id), { status: 'released' });
  await settled();
  await t.rejects(arena.create(android), CAPACITY);
  await arena.clock.advance(0);
  await settled();
  t.match((await arena.create(android)).record, { status: 'active' });
});

t.test('a device whose driver never opens it is given up, and not offered while the driver is at it', async (t) => {
  const arena = await openReal(t);
  const opening = deferred<ScriptedDevice>();
  arena.starting = () => opening.promise;
  const creation = arena.create(android);
  creation.catch(() => undefined);
  await arena.clock.advance(OPERATION_MS_MAX.opened);
  await t.rejects(creation, { code: 'simulator_unavailable', message: /could not be opened within/ });
  await arena.clock.advance(0);
  await t.rejects(arena.create(android), CAPACITY);
  const late = new ScriptedDevice();
  opening.resolve(late);
  await settled();
  t.strictSame(late.housekeeping, ['close']);
  arena.starting = async () => new ScriptedDevice();
  await arena.clock.advance(60_000);
  t.match((await arena.create(android)).record, { status: 'active' });
});
