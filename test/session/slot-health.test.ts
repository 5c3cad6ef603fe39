import t from 'tap';
import type { DeviceDescriptor } from '../../server/device/driver.ts';
import { DeviceFault } from '../../server/device/fault.ts';
import type { DeviceTarget } from '../../server/device/target.ts';
import { HostPool } from '../../server/link/host-pool.ts';
import { Leases } from '../../server/session/leases.ts';
import type { Slot } from '../../server/session/slot.ts';
import { SlotHealth } from '../../server/session/slot-health.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';
import { DESCRIPTOR, deferred, ScriptedDevice } from '../support/scripted-device.ts';
import { hostedPair } from '../support/scripted-host.ts';

const target: DeviceTarget = { driver: 'android-emulator', id: 'Pixel', facts: {}, tools: {} };
const ready: DeviceDescriptor = { ...DESCRIPTOR, model: 'Known now' };

function open() {
  const clock = new FakeClock();
  const slot = { index: 0, deviceId: 'dev_1', platform: 'android', scope: { openUrl: true }, target } as const;
  const mutable: Slot = { ...slot, descriptor: DESCRIPTOR, lease: undefined, returning: undefined, healthy: false };
  const asked: number[] = [];
  const changes: (string | undefined)[] = [];
  const checked: number[] = [];
  const answers = { make: async (): Promise<DeviceDescriptor> => ready };
  const health = new SlotHealth({
    clock,
    random: () => 1,
    makeReady: () => {
      asked.push(clock.monotonicMs());
      return answers.make();
    },
    onChange: (_, reason) => changes.push(reason),
    onChecked: () => checked.push(clock.monotonicMs()),
  });
  return { clock, slot: mutable, asked, checked, changes, answers, health };
}

const fails = async () => {
  throw new DeviceFault('unavailable', 'no image');
};

t.test('a device is offered when it was made ready, with what is known of it then', async (t) => {
  const { clock, slot, health, changes } = open();
  health.markSuspect(slot);
  t.equal(slot.healthy, false);
  await clock.advance(0);
  await settled();
  t.match(slot, { healthy: true, descriptor: { model: 'Known now' } });
  t.same(changes, [undefined]);
});

t.test('a device that does not become ready is tried again with growing pauses, and reported once', async (t) => {
  const { clock, slot, health, asked, answers, changes } = open();
  answers.make = fails;
  health.markSuspect(slot);
  for (let seconds = 0; seconds < 200; seconds++) {
    await clock.advance(1_000);
    await settled();
  }
  const pauses = asked.slice(1).map((atMs, index) => Math.round((atMs - (asked[index] ?? 0)) / 1_000));
  t.same(pauses.slice(0, 7), [1, 2, 4, 8, 16, 32, 60]);
  t.same(changes, ['no image']);
  t.equal(slot.healthy, false);
  answers.make = async () => ready;
  await clock.advance(60_000);
  await settled();
  t.equal(slot.healthy, true, 'it heals by itself');
});

t.test('an unleased device is checked now and then, and withdrawn when it is unhealthy', async (t) => {
  const { clock, slot, health, asked, answers } = open();
  health.markSuspect(slot);
  await clock.advance(0);
  await settled();
  await clock.advance(30_000);
  await settled();
  t.equal(asked.length, 2);
  t.equal(slot.healthy, true);
  answers.make = fails;
  await clock.advance(30_000);
  await settled();
  t.equal(slot.healthy, false);
});

t.test('a leased device is not checked', async (t) => {
  const { clock, slot, health, asked } = open();
  health.markSuspect(slot);
  await clock.advance(0);
  await settled();
  slot.lease = {} as Slot['lease'];
  await clock.advance(300_000);
  t.equal(asked.length, 1);
});

t.test('a host that never answers counts as a failure, and after the close nobody is asked', async (t) => {
  const { clock, slot, health, asked, answers } = open();
  const never = deferred<DeviceDescriptor>();
  answers.make = () => never.promise;
  health.markSuspect(slot);
  await clock.advance(0);
  await clock.advance(300_000);
  await settled();
  t.equal(slot.healthy, false);
  health.close();
  await clock.advance(300_000);
  t.equal(asked.length, 1);
});

t.test(
  'a real device is leased when it is well, and not again after its session failed before it was healed',
  async (t) => {
    const clock = new FakeClock();
    const hosts = new HostPool(1, () => hostedPair(async () => new ScriptedDevice()).gateway);
    const stock = { platform: 'android', count: 1, descriptor: DESCRIPTOR, scope: { openUrl: true }, target } as const;
    const leases = new Leases([stock, stock], hosts, { clock, random: () => 1 });
    const acquire = () => leases.acquire({ platform: 'android' });
    t.throws(acquire, { code: 'simulator_capacity_unavailable', message: /has 1, of which 1 cannot be used/ });
    await clock.advance(0);
    await settled();
    acquire().end('healthy');
    const lease = acquire();
    lease.end('failed');
    t.throws(acquire, { code: 'simulator_capacity_unavailable' });
    lease.end('failed');
    await clock.advance(0);
    await settled();
    t.ok(acquire());
    leases.close();
    await hosts.close();
  },
);

t.test('a look is waited for while it is short, and its end is told', async (t) => {
  const { clock, slot, health, answers, checked } = open();
  health.markSuspect(slot);
  await clock.advance(0);
  await settled();
  t.equal(checked.length, 1);
  t.equal(health.checking(slot), false);
  const checking = deferred<DeviceDescriptor>();
  answers.make = () => checking.promise;
  await clock.advance(30_000);
  t.equal(health.checking(slot), 'short');
  await clock.advance(9_999);
  t.equal(health.checking(slot), 'short');
  await clock.advance(1);
  t.equal(health.checking(slot), 'long');
  t.equal(checked.length, 2);
  checking.resolve(ready);
  await settled();
  t.equal(health.checking(slot), false);
  t.equal(checked.length, 3);
});

t.test('a snapshot that only one device can begin with gets that one, and not another of its model', async (t) => {
  const clock = new FakeClock();
  const hosts = new HostPool(2, () => hostedPair(async () => new ScriptedDevice()).gateway);
  const stockOf = (id: string) =>
    ({
      platform: 'android',
      count: 1,
      descriptor: DESCRIPTOR,
      scope: { openUrl: true },
      target: { ...target, id },
    }) as const;
  const leases = new Leases([stockOf('One'), stockOf('Other')], hosts, { clock, random: () => 1 });
  await clock.advance(0);
  await settled();
  const { model, driver } = leases.acquire({ platform: 'android' }).descriptor;
  const other = leases.acquire({ platform: 'android' }, { model: 'It had another name', driver, onlyOn: 'Other' });
  const again = () => leases.acquire({ platform: 'android' }, { model, driver, onlyOn: 'Other' });
  t.throws(again, { code: 'simulator_capacity_unavailable' }, 'it is waited for');
  other.end('healthy');
  again();
  const unknown = () => leases.acquire({ platform: 'android' }, { model, driver, onlyOn: 'Gone' });
  t.throws(unknown, { code: 'invalid_session_request', message: /"Gone" \(.*\), which this host does not offer/ });
});
