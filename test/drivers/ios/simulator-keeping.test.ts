import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionFields } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import type { Device, KeptFile, SnapshotSource } from '../../../server/device/driver.ts';
import type { DeviceFault } from '../../../server/device/fault.ts';
import type { DeviceTarget } from '../../../server/device/target.ts';
import { IosDriver } from '../../../server/drivers/ios/ios-driver.ts';
import { runningChildren } from '../../../server/drivers/process/children.ts';
import { HELPER } from '../../support/ios/kept-by.ts';
import { listing } from '../../support/ios/simulator-shelf.ts';
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
    // A question about its health that is on its way ends by itself.
    await until('no program goes on', () => runningChildren() === 0);
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
const request = (fields: object) => ({ requestId: 'r', timeoutMs: 15_000, ...fields }) as unknown as ActionFields;
const perform = (device: Device, fields: object, inputSeq = 1) => device.perform(request(fields), context(inputSeq));

async function keep(device: Device, file: string, signal = never): Promise<KeptFile> {
  if (!device.keep) throw new Error('it cannot be kept');
  return device.keep(file, signal);
}

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
      const keptFile = await keep(first, path);
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
      await perform(first, { action: 'tap', x: 0.5, y: 0.01 }, 2);
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
      t.match(await perform(plain, { action: 'configureDevice' }), { appearance: 'light', locale: 'en-GB' });
      await plain.close();
      t.equal(kept(mac).length, 1, 'what was kept stays');
    });
  });
}

const failure = (line: string): XcrunAnswer => ({
  exitCode: 2,
  stderr: `An error was encountered processing the command (domain=NSPOSIXErrorDomain, code=2):\n${line}\n`,
});

t.test('a copy that fails is told, and the session goes on', async (t) => {
  await onMac(t, {}, async ({ mac, file, open }) => {
    const device = await open();
    mac.override = (args) => (args[1] === 'clone' ? failure('No space left on device') : undefined);
    t.match(await faultOf(keep(device, file('none'))), { kind: 'failed', message: /No space left/ });
    t.notOk(existsSync(file('none')));
    t.same(kept(mac), []);
    const before = touchesOf(mac);
    await perform(device, { action: 'tap', x: 0.5, y: 0.01 }, 2);
    t.equal(touchesOf(mac), before + 2, 'a tap arrives');
    mac.override = () => undefined;
    t.match(await keep(device, file('some')), { checksum: /^[0-9a-f]{64}$/ }, 'and it can be kept');
    await device.close();
  });
});

t.test('a question about its health that was on its way when it was turned off does not lose it', async (t) => {
  await onMac(t, {}, async ({ mac, file, open }) => {
    const device = await open();
    let lost = '';
    device.onLost((reason) => {
      lost = reason;
    });
    const { udid } = mac.booted;
    const isOff = () => mac.simulators.some((one) => one.udid === udid && one.state === 'Shutdown');
    let seen = 0;
    // Each list is late, and tells what is then: of most, the simulator is turned off meanwhile.
    mac.override = ([, command = '', which = '']) => {
      if (command === 'list') {
        const running = async (say: (out: string) => void) => {
          for (let tries = 0; tries < 40 && !isOff(); tries++) await sleep(50);
          if (isOff()) seen++;
          say(JSON.stringify(listing(mac)));
        };
        return { running };
      }
      if (command !== 'boot' || which !== udid) return undefined;
      const running = async () => {
        await sleep(1_000);
        const simulator = mac.simulators.find((one) => one.udid === udid);
        if (simulator) simulator.state = 'Booted';
      };
      return { running };
    };
    for (let round = 0; round < 3; round++) await keep(device, file(String(round)));
    t.ok(seen > 0, 'it was seen off');
    t.equal(lost, '');
    mac.override = () => undefined;
    await device.close();
  });
});

t.test('a file that cannot be written leaves no simulator', async (t) => {
  await onMac(t, {}, async ({ mac, file, open }) => {
    const device = await open();
    t.match(await faultOf(keep(device, join(file('no-folder'), 'file'))), { kind: 'unavailable' });
    t.same(kept(mac), []);
    await device.close();
  });
});

t.test(`with ${HELPER}: what is ended in the middle leaves nothing, and the session waits and goes on`, async (t) => {
  await onMac(t, { helpers: [HELPER] }, async ({ mac, file, open }) => {
    const device = await open();
    for (const at of ['shutdown', 'clone', 'boot', 'bootstatus']) {
      const ending = new AbortController();
      const lines: string[] = [];
      mac.override = ([, command = '']) => {
        if (command === at) ending.abort();
        lines.push(command);
        return undefined;
      };
      const path = file(at);
      t.match(await faultOf(keep(device, path, ending.signal)), { kind: 'aborted' }, at);
      t.match(await faultOf(device.pointer('begin', [{ x: 0.5, y: 0.5 }], 3)), { kind: 'unavailable' });
      const gone = AbortSignal.timeout(1);
      t.match(
        await faultOf(device.perform(request({ action: 'tap', x: 0.5, y: 0.01 }), { inputSeq: 3, signal: gone })),
        { kind: 'aborted' },
        'who does not wait so long is told so',
      );
      const apps = device.clipboard?.read(never);
      await perform(device, { action: 'tap', x: 0.5, y: 0.01 }, 4);
      t.equal(mac.booted.guest.arrivals.filter(({ what }) => what === 'touch').length > 0, true, 'a tap arrives');
      t.equal(await apps, '', 'and a command is answered');
      await until('the copy is gone', () => kept(mac).length === 0);
      t.notOk(existsSync(path));
      t.notOk(lines.includes('clone') && at === 'shutdown', 'what is not wanted any more is not copied');
    }
    mac.override = () => undefined;
    t.match(await keep(device, file('after')), { byteSize: Number });
    await device.close();
  });
});

t.test(`with ${HELPER}: a session that ends while it is kept ends, and leaves nothing`, async (t) => {
  await onMac(t, { helpers: [HELPER] }, async ({ mac, file, open }) => {
    for (const at of ['shutdown', 'clone', 'boot', 'bootstatus']) {
      const device = await open();
      const { udid } = mac.booted;
      let closed: Promise<void> | undefined;
      mac.override = ([, command = '']) => {
        if (command === at) closed ??= device.close();
        return undefined;
      };
      t.match(await faultOf(keep(device, file(at))), { kind: 'aborted' }, at);
      await closed;
      mac.override = () => undefined;
      t.notOk(mac.made.some((simulator) => simulator.udid === udid));
      t.notOk(existsSync(file(at)));
      await until('only the next one is there', () => mac.made.length <= 1);
    }
  });
});

t.test('a simulator that does not come up again is lost, with the reason, and what was copied is gone', async (t) => {
  await onMac(t, {}, async ({ mac, file, open }) => {
    const device = await open();
    const lost = new Promise<string>((resolve) => device.onLost(resolve));
    mac.override = (args) => (args[1] === 'boot' ? failure('Unable to boot the Simulator.') : undefined);
    t.match(await faultOf(keep(device, file('none'))), { kind: 'unreachable', message: /Unable to boot/ });
    t.match(await lost, /did not come up again .*Unable to boot/);
    t.match(await faultOf(perform(device, { action: 'tap', x: 0.5, y: 0.01 })), { kind: 'unreachable' });
    t.match(await faultOf(keep(device, file('none'))), { kind: 'unreachable' });
    mac.override = () => undefined;
    await device.close();
    await until('only the next one is there', () => mac.made.length <= 1);
    t.notOk(existsSync(file('none')));
    await (await open()).close();
  });
});

t.test('what was kept outlives the service, goes with its file, and is missed where it was deleted', async (t) => {
  await onMac(t, {}, async ({ mac, driver, target, file, open }) => {
    const device = await open();
    const [one, other] = [await keep(device, file('one')), await keep(device, file('other'))];
    await driver.close();
    t.equal(mac.made.length, 2, 'nothing else is left');
    const next = new IosDriver();
    t.teardown(() => next.close());
    const begin = (name: string, { checksum }: KeptFile) =>
      next.open(target, { platform: 'ios', target, snapshot: source(name, file(name), { checksum, byteSize: 0 }) });
    await next.makeReady(target);
    t.equal(kept(mac).length, 2);
    await (await begin('one', one)).close();
    rmSync(file('one'));
    await (await next.open(target, { platform: 'ios', target })).close();
    await until('its simulator is gone', () => kept(mac).length === 1);
    const second = await begin('other', other);
    await second.close();

    const [left] = kept(mac);
    mac.simulators.splice(
      mac.simulators.findIndex(({ udid }) => udid === left?.udid),
      1,
    );
    t.match(await faultOf(begin('other', other)), {
      kind: 'damaged',
      message: 'The snapshot "other" cannot be read: its simulator is not there any more.',
    });
    t.match(await next.makeReady(target), { width: 590 }, 'other sessions get one');
    await next.close();
  });
});

t.test('a session from a snapshot that is not waited for leaves nothing', async (t) => {
  await onMac(t, {}, async ({ mac, driver, target, file, open }) => {
    const device = await open();
    const snapshot = source('one', file('one'), await keep(device, file('one')));
    await device.close();
    for (const at of ['clone', 'boot', 'bootstatus']) {
      const ending = new AbortController();
      mac.override = ([, command = '']) => {
        if (command === at) ending.abort();
        return undefined;
      };
      t.ok(await faultOf(driver.open(target, { platform: 'ios', target, snapshot }, ending.signal)), at);
      mac.override = () => undefined;
      await driver.makeReady(target);
      t.same([kept(mac).length, mac.made.length], [1, 2], 'what was kept, and the next one');
    }
    const [left] = kept(mac);
    if (left) left.state = 'Booted';
    t.match(await faultOf(open(snapshot)), { kind: 'unavailable', message: /only while it is off/ });
    if (left) left.state = 'Shutdown';
    await (await open(snapshot)).close();
  });
});

t.test('a host keeps sixteen simulators, and says what to do then', async (t) => {
  await onMac(t, {}, async ({ mac, file, open }) => {
    const device = await open();
    await keep(device, file('0'));
    const { HOME = '' } = mac.tools;
    const folder = join(HOME, 'Library', 'Application Support', 'runcloud', 'simulators');
    for (let index = 1; index < 16; index++) {
      const name = `runcloud-1-${index}-0123456789abcdef`;
      const { udid } = mac.add(name);
      writeFileSync(file(String(index)), '');
      const note = { name, udid, owner: process.pid, notedMs: Date.now(), file: file(String(index)), written: true };
      writeFileSync(join(folder, name), JSON.stringify(note));
    }
    const { guest } = mac.booted;
    t.match(await faultOf(keep(device, file('more'))), {
      kind: 'failed',
      message: 'The host keeps 16 simulators for snapshots, and no more. Delete a snapshot of a simulator first.',
    });
    t.equal(mac.booted.guest, guest, 'it was not turned off for that');
    rmSync(file('7'));
    await keep(device, file('more'));
    t.equal(kept(mac).length, 16);
    await device.close();
  });
});
