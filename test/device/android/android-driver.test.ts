import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { AndroidDriver } from '../../../server/device/android/android-driver.ts';
import { runningChildren } from '../../../server/device/process/children.ts';
import type { DeviceTarget } from '../../../server/device/target.ts';
import { emulatorHost } from '../../support/android/emulator-host.ts';
import { hasAdb } from '../../support/android/has-adb.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';
const tap = { requestId: 'r', timeoutMs: 5_000, action: 'tap', x: 0.25, y: 0.5 } as const;

function open(t: Test, ...avds: string[]) {
  const host = emulatorHost(avds);
  const driver = new AndroidDriver();
  t.teardown(async () => {
    await driver.close();
    host.remove();
  });
  const find = async (which: string): Promise<DeviceTarget> => {
    const [found] = await driver.discover({ driver: 'android-emulator', which, tools: host.tools });
    if (!found) throw new Error(`no ${which}`);
    return found.target;
  };
  return { host, driver, find };
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** What is true in a moment. */
async function until(fits: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 100 && !fits(); tries++) await sleep(50);
  return fits();
}

t.test('an AVD is started by its name, once, waited for, used, and ended with the service', { skip }, async (t) => {
  const { host, driver, find } = open(t, 'Pixel_8');
  const target = await find('Pixel_8');
  t.same(host.starts(), [], 'finding starts nothing');
  const [one, other] = await Promise.all([driver.makeReady(target), driver.makeReady(target)]);
  t.match(one, { driver: 'android-emulator', model: 'Pixel_8', osVersion: '14', width: 540, height: 1_200 });
  t.same(one, other);
  t.match(host.starts(), [{ avd: 'Pixel_8' }]);
  const device = await driver.open(target, { platform: 'android' });
  const { signal } = new AbortController();
  t.same(await device.perform(tap, { inputSeq: 1, signal }), { pointCount: 1 });
  await until(() => host.journal('Pixel_8').reports.length === 2);
  const { reports, violations } = host.journal('Pixel_8');
  t.match(reports, [
    { fingers: [{ x: 135, y: 600, pressure: 1_024 }] },
    { fingers: [{ x: 135, y: 600, pressure: 0 }] },
  ]);
  t.same(violations, []);
  await device.close();
  await driver.close();
  const [{ pid } = { pid: 0 }] = host.starts();
  t.notOk(isAlive(pid), 'the emulator is gone');
  t.equal(runningChildren(), 0);
  t.same(readdirSync(`${host.tools.XDG_RUNTIME_DIR}/avd/running`), []);
});

t.test('an emulator that dies tells its session, and comes back under the same name', { skip }, async (t) => {
  const { host, driver, find } = open(t, 'Pixel_8');
  const target = await find('Pixel_8');
  await driver.makeReady(target);
  const device = await driver.open(target, { platform: 'android' });
  const lost = new Promise<string>((resolve) => device.onLost(resolve));
  const [first] = host.starts();
  execFileSync('kill', ['-9', String(first?.pid)]);
  t.match(await lost, /gone|does not answer/);
  const { signal } = new AbortController();
  await t.rejects(device.perform(tap, { inputSeq: 1, signal }), { name: 'DeviceFault', kind: 'unreachable' });
  await device.close();
  t.match(await driver.makeReady(target), { model: 'Pixel_8' });
  t.equal(host.starts().length, 2, 'another process');
  const again = await driver.open(target, { platform: 'android', orientation: 'landscape_left' });
  t.equal(again.orientation, 'landscape_left');
  t.same(await again.perform(tap, { inputSeq: 1, signal }), { pointCount: 1 });
  await again.close();
});

t.test('an emulator that cannot start says why, and nothing of it is left', { skip }, async (t) => {
  const { driver, find } = open(t, 'Broken_AVD');
  const target = await find('Broken_AVD');
  await t.rejects(driver.makeReady(target), {
    kind: 'unavailable',
    message: /"Broken_AVD" did not start: .*exit code 1; it said: PANIC: Missing emulator engine program/,
  });
  t.equal(runningChildren(), 0);
  await t.rejects(find('Nobody'), {
    kind: 'unavailable',
    message: /no Android Virtual Device named "Nobody".*avdmanager/,
  });
});
