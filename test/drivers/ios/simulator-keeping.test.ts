import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionFields, FieldsOf } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import type { InstallableApp } from '../../../server/device/app-package.ts';
import type { Device, KeptFile, SnapshotSource } from '../../../server/device/driver.ts';
import type { DeviceFault } from '../../../server/device/fault.ts';
import type { DeviceTarget } from '../../../server/device/target.ts';
import { IosDriver } from '../../../server/drivers/ios/ios-driver.ts';
import { runningChildren } from '../../../server/drivers/process/children.ts';
import { StandInMac, type StandInOptions } from '../../support/ios/stand-in-mac.ts';
import type { XcrunAnswer } from '../../support/ios/xcrun-answer.ts';

const WHICH = 'iPhone Stand-In';
const HELPERS = ['serve-sim', 'idb_companion'] as const;

interface Stage {
  readonly mac: StandInMac;
  readonly driver: IosDriver;
  readonly target: DeviceTarget;
  /** A path for the file of a snapshot, as the service would give it. */
  file(name: string): string;
  open(snapshot?: SnapshotSource): Promise<Device>;
}

/** Runs a proof on a Mac, and proves that nothing is left but what snapshots have. */
async function onMac(t: Test, options: StandInOptions, prove: (stage: Stage) => Promise<void>): Promise<void> {
  const mac = await StandInMac.start(options);
  const driver = new IosDriver(300);
  const folder = t.testdir();
  try {
    const [found] = await driver.discover({ driver: 'ios-simulator', which: WHICH, tools: mac.tools });
    if (!found) throw new Error('nothing was found');
    const { target } = found;
    const open = (snapshot?: SnapshotSource) =>
      driver.open(target, { platform: 'ios', target, ...(snapshot ? { snapshot } : {}) });
    await prove({ mac, driver, target, file: (name) => join(folder, `${name}.snapshot`), open });
  } finally {
    await driver.close();
    t.equal(runningChildren(), 0, 'no program goes on');
    t.notOk(
      mac.made.some(({ state }) => state !== 'Shutdown'),
      'no simulator goes on',
    );
    await mac.close();
  }
}

const source = (name: string, file: string, { checksum }: KeptFile): SnapshotSource => ({
  ...{ name, file, checksum, model: WHICH, driver: 'ios-simulator' },
});

const never = new AbortController().signal;
const context = (inputSeq = 1) => ({ inputSeq, signal: never });
const perform = (device: Device, fields: object, inputSeq = 1) =>
  device.perform({ requestId: 'r', timeoutMs: 15_000, ...fields } as unknown as ActionFields, context(inputSeq));

const faultOf = (work: Promise<unknown>): Promise<DeviceFault> =>
  work.then(
    () => {
      throw new Error('it was done');
    },
    (fault) => fault,
  );

async function until(what: string, holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries === 600) throw new Error(`it never came that ${what}`);
    await sleep(50);
  }
}

/** Those that are off: of snapshots. */
const kept = (mac: StandInMac) => mac.made.filter(({ state }) => state === 'Shutdown');
const touchesOf = ({ booted }: StandInMac) =>
  booted.guest.inspect().events.filter(({ type }) => type === 'touch').length;

for (const helper of HELPERS) {
  t.test(`with ${helper}: a session goes on after it was kept, and another one begins as it was`, async (t) => {
    await onMac(t, { helpers: [helper], devicectl: true }, async ({ mac, file, open }) => {
      const first = await open();
      t.equal(first.capabilities.snapshots, true);
      const { udid } = mac.booted;
      await perform(first, { action: 'configureDevice', appearance: 'dark', locale: 'de-DE' });
      await perform(first, { action: 'launchApp', app: 'com.example.notes', arguments: {} });
      await perform(first, { action: 'setLocation', latitude: 1, longitude: 2 });
      await perform(first, { action: 'rotate', orientation: 'landscape_left' });
      const turns: string[] = [];
      first.onOrientation((orientation) => turns.push(orientation));
      let lost = '';
      first.onLost((reason) => {
        lost = reason;
      });
      const packets: boolean[] = [];
      const ends: string[] = [];
      first.encoded?.start({ packet: ({ key }) => packets.push(key), ended: (reason) => ends.push(reason) });
      const path = file('first');
      const keptFile = await first.keep?.(path, never);
      if (!keptFile) throw new Error('it was not kept');
      t.ok(existsSync(path));

      t.equal(mac.booted.udid, udid, 'the same simulator runs again');
      t.equal(kept(mac).length, 1);
      t.same(turns, ['portrait']);
      t.equal(first.orientation, 'portrait');
      t.same(ends, [], 'whoever looks at it sees no end');
      t.match(await first.capture(), { width: 590, height: 1280, orientation: 'portrait' });
      t.match(await first.screenshot?.(), { width: 590, height: 1280 });
      t.match(await perform(first, { action: 'readLocation' }), { location: undefined });
      const before = touchesOf(mac);
      await perform(first, { action: 'tap', x: 0.5, y: 0.4 }, 2);
      t.equal(touchesOf(mac), before + 2, 'a tap arrives');
      t.ok(packets.length > 0);
      t.equal(mac.booted.guest.inspect().foreground, 'home', 'the app is ended');
      await perform(first, { action: 'configureDevice', appearance: 'light' });
      await sleep(1_000);
      t.equal(lost, '', 'and it is not taken for lost');
      await first.close();

      const second = await open(source('first', path, keptFile));
      t.notOk([udid, kept(mac)[0]?.udid].includes(mac.booted.udid), 'with a simulator of its own');
      t.equal(second.orientation, 'portrait');
      t.match(await perform(second, { action: 'configureDevice' }), { appearance: 'dark', locale: 'de-DE' });
      t.equal(mac.booted.guest.inspect().foreground, 'home');
      await second.close();

      const plain = await open();
      t.match(await perform(plain, { action: 'configureDevice' }), { appearance: 'light', locale: 'en-US' });
      await plain.close();
      t.equal(kept(mac).length, 1, 'what was kept stays');
    });
  });
}
