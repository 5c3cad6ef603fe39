import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { ToolEnvironment } from '../../../server/device/target.ts';
import { AttachedDriver } from '../../../server/drivers/android/attached/attached-driver.ts';
import { attachedHost } from '../../support/android/attached-host.ts';
import { hasAdb } from '../../support/android/has-adb.ts';
import type { StandInEmulator } from '../../support/android/stand-in-emulator.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';

/** Makes the device answer so for a property. */
function says(device: StandInEmulator, property: string, value: string): void {
  device.system.override = ([name, asked]) =>
    name === 'getprop' && asked === property ? { out: `${value}\n` } : undefined;
}

async function openDriver(t: { teardown(work: () => Promise<void>): unknown }, devices: number) {
  const host = await attachedHost(devices);
  const driver = new AttachedDriver();
  t.teardown(async () => {
    await driver.close();
    host.stop();
  });
  return { host, driver, tools: host.environment as ToolEnvironment };
}

t.test('a device that is reached in two ways is offered once, by the way that is there', { skip }, async (t) => {
  const { host, driver, tools } = await openDriver(t, 2);
  const [first, second] = await driver.discover({ driver: 'android-adb', which: 'auto', tools });
  if (!first || !second) return void t.fail('both are attached');
  for (const { device } of host.devices) says(device, 'ro.serialno', 'R58M123ABC');
  await driver.makeReady(first.target);
  await t.rejects(driver.makeReady(second.target), { kind: 'unavailable', message: new RegExp(first.target.id) });
  await driver.makeReady(first.target);
  host.adb('disconnect', first.target.id);
  t.match(await driver.makeReady(second.target), { driver: 'android-adb' });
});

t.test('an Android Emulator is taken under its name alone, whatever its serial looks like', { skip }, async (t) => {
  const { host, driver, tools } = await openDriver(t, 1);
  for (const { device } of host.devices) says(device, 'ro.boot.qemu', '1');
  const [found] = await driver.discover({ driver: 'android-adb', which: 'auto', tools });
  if (!found) return void t.fail('it is attached');
  await t.rejects(driver.makeReady(found.target), { kind: 'unavailable', message: /Android Emulator/ });
  const [named] = await driver.discover({ driver: 'android-adb', which: found.target.id, tools });
  if (named) t.match(await driver.makeReady(named.target), { driver: 'android-adb' });
});

t.test('an address that adb has lost is connected to again where the settings name it', { skip }, async (t) => {
  const { host, driver, tools } = await openDriver(t, 1);
  const [{ serial, device } = { serial: '', device: undefined }] = host.devices;
  const [named] = await driver.discover({ driver: 'android-adb', which: serial, tools });
  const [found] = await driver.discover({ driver: 'android-adb', which: 'auto', tools });
  if (!named || !found || !device) return void t.fail('it is attached');
  const disconnected = () => host.adb('disconnect', serial);
  disconnected();
  await t.rejects(driver.makeReady(found.target), { kind: 'unavailable', message: /is not attached: plug it in/ });
  t.notMatch(host.adb('devices'), serial, 'somebody took it away');
  t.match(await driver.makeReady(named.target), { driver: 'android-adb' });
  disconnected();
  const opened = await driver.open(named.target, { platform: 'android' });
  await opened.close();
  device.adbd.close();
  await t.rejects(driver.makeReady(named.target), { name: 'DeviceFault', kind: 'unavailable' });
  // adb's own attempts to reconnect go on for a moment, and list it as offline again.
  for (let away = 0, looks = 0; away < 3 && looks < 100; looks++) {
    away = host.adb('devices').includes(serial) ? 0 : away + 1;
    if (away === 0) disconnected();
    await sleep(100);
  }
  await t.rejects(driver.makeReady(named.target), {
    kind: 'unavailable',
    message: /not attached. adb says: .*refused/,
  });
  await device.adbd.listen();
  t.match(await driver.makeReady(named.target), { driver: 'android-adb' }, 'as soon as it is there again');
});

t.test('a number of a maker is not taken for an address', { skip }, async (t) => {
  const { driver, tools } = await openDriver(t, 0);
  const [named] = await driver.discover({ driver: 'android-adb', which: 'R58M123ABC', tools });
  if (!named) return void t.fail('it is named');
  await t.rejects(driver.makeReady(named.target), { kind: 'unavailable', message: /is not attached: plug it in/ });
});
