import t from 'tap';
import { DeviceFault } from '../../server/device/fault.ts';
import type { DeviceTarget } from '../../server/device/target.ts';
import { settled } from '../support/fake-clock.ts';
import { deferred, ScriptedDevice } from '../support/scripted-device.ts';
import { ACME, openSessions } from '../support/session-arena.ts';

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

t.test('a device that does not come back in time is offered again when it did and was made ready', async (t) => {
  const arena = await openReal(t);
  const { record } = await arena.create(android);
  const closing = deferred<void>();
  arena.lastDevice.close = () => closing.promise;
  const release = arena.registry.release(ACME, record.id);
  await arena.clock.advance(5_000);
  t.match(await release, { status: 'released', releaseReason: 'requested' });
  await t.rejects(arena.create(android), CAPACITY);
  await arena.clock.advance(60_000);
  await t.rejects(arena.create(android), CAPACITY, 'its driver has not let go of it');
  closing.resolve();
  await settled();
  await arena.clock.advance(60_000);
  t.match((await arena.create(android)).record, { status: 'active' });
});

t.test('a device that cannot be reset is made ready before anybody gets it', async (t) => {
  const arena = await openReal(t);
  const { record } = await arena.create(android);
  arena.lastDevice.close = async () => {
    throw new DeviceFault('unavailable', 'The apps cannot be listed.');
  };
  t.match(await arena.registry.release(ACME, record.id), { status: 'released' });
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
  await arena.clock.advance(120_000);
  await t.rejects(creation, { code: 'simulator_unavailable' });
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
