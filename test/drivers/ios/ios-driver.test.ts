import { CAPABILITIES } from '@runcloud/protocol/terms';
import t, { type Test } from 'tap';
import type { Device } from '../../../server/device/driver.ts';
import type { DeviceTarget } from '../../../server/device/target.ts';
import { IosDriver } from '../../../server/drivers/ios/ios-driver.ts';
import { runningChildren } from '../../../server/drivers/process/children.ts';
import { StandInMac, type StandInOptions } from '../../support/ios/stand-in-mac.ts';

const WHICH = 'iPhone Stand-In';

interface Stage {
  readonly mac: StandInMac;
  readonly driver: IosDriver;
  readonly target: DeviceTarget;
  readonly device: Device;
}

/** Runs a proof on an opened simulator, and proves that nothing is left of it. */
async function onSimulator(t: Test, options: StandInOptions, prove: (stage: Stage) => Promise<void>): Promise<void> {
  const mac = await StandInMac.start(options);
  const driver = new IosDriver();
  try {
    const [found] = await driver.discover({ driver: 'ios-simulator', which: WHICH, tools: mac.tools });
    if (!found) throw new Error('nothing was found');
    const { target } = found;
    await driver.makeReady(target);
    const device = await driver.open(target, { platform: 'ios', target });
    await prove({ mac, driver, target, device });
  } finally {
    await driver.close();
    t.equal(runningChildren(), 0, 'no program goes on');
    t.same(mac.made, [], 'no simulator is left');
    await mac.close();
  }
}

const common = { requestId: 'r', timeoutMs: 15_000 };
const context = (inputSeq = 1) => ({ inputSeq, signal: new AbortController().signal });

const ABLE = {
  'serve-sim': { fingers: 2, buttons: CAPABILITIES.ios.buttons, renderOptions: CAPABILITIES.ios.renderOptions },
  idb_companion: { fingers: 1, buttons: ['home', 'appSwitcher', 'recents', 'power', 'sideButton'], renderOptions: [] },
} as const;

for (const helper of ['serve-sim', 'idb_companion'] as const) {
  t.test(`with ${helper}: a simulator is made, booted, touched and seen`, async (t) => {
    await onSimulator(t, { helpers: [helper] }, async ({ mac, device }) => {
      t.match(device.descriptor, {
        model: WHICH,
        osVersion: '26.1',
        width: 590,
        height: 1280,
        driver: 'ios-simulator',
      });
      t.match(device.capabilities, ABLE[helper]);
      const { guest } = mac.booted;
      t.same(await device.perform({ ...common, action: 'tap', x: 0.5, y: 0.4 }, context()), { pointCount: 1 });
      const touches = guest.inspect().events.filter(({ type }) => type === 'touch');
      t.same(
        touches.slice(-2).map(({ detail }) => detail),
        [
          { phase: 'begin', points: [{ x: 295, y: 512 }] },
          { phase: 'end', points: [{ x: 295, y: 512 }] },
        ],
      );
      t.match(await device.capture(), { width: 590, height: 1280, orientation: 'portrait', inputSeq: 1 });
    });
  });
}

for (const helper of ['serve-sim', 'idb_companion'] as const) {
  t.test(`with ${helper}: touches arrive where a Device Hub attached before the session`, async (t) => {
    const mac = await StandInMac.start({ helpers: [helper] });
    const driver = new IosDriver();
    t.teardown(async () => {
      await driver.close();
      await mac.close();
    });
    const [found] = await driver.discover({ driver: 'ios-simulator', which: WHICH, tools: mac.tools });
    if (!found) throw new Error('nothing was found');
    await driver.makeReady(found.target);
    mac.booted.guest.attachDeviceHub();
    const device = await driver.open(found.target, { platform: 'ios', target: found.target });
    t.same(await device.perform({ ...common, action: 'tap', x: 0.5, y: 0.4 }, context()), { pointCount: 1 });
    await device.close();
  });
}

t.test('each session has a simulator of its own, and the one before is gone', async (t) => {
  await onSimulator(t, {}, async ({ mac, driver, target, device }) => {
    const first = mac.booted.udid;
    await device.close();
    t.notOk(mac.made.some(({ udid }) => udid === first));
    const second = await driver.open(target, { platform: 'ios', target });
    t.not(mac.booted.udid, first);
    await second.close();
  });
});

t.test("the operator's own simulator is copied, and never touched", async (t) => {
  const mac = await StandInMac.start();
  const driver = new IosDriver();
  const own = mac.add('My iPhone');
  const query = { driver: 'ios-simulator', which: own.udid, tools: mac.tools } as const;
  const [found] = await driver.discover(query);
  if (!found) throw new Error('nothing was found');
  t.match(await driver.makeReady(found.target), { width: 590, height: 1280 });
  t.equal(own.state, 'Shutdown');
  const named = mac.calls.filter((call) => call.includes(own.udid)).map(([, , command]) => command);
  t.same(named, ['clone']);
  await driver.close();
  await mac.close();
});

t.test('of one device type there can be several, each with a simulator of its own', async (t) => {
  const mac = await StandInMac.start();
  const driver = new IosDriver();
  const found = await driver.discover({ driver: 'ios-simulator', which: WHICH, count: 2, tools: mac.tools });
  t.equal(new Set(found.map(({ target }) => target.id)).size, 2);
  await Promise.all(found.map(({ target }) => driver.makeReady(target)));
  t.equal(new Set(mac.made.filter(({ state }) => state === 'Booted').map(({ udid }) => udid)).size, 2);
  await driver.close();
  t.same(mac.made, []);
  await mac.close();
});

t.test('every command names its simulator and is told nothing of this process', async (t) => {
  process.env.SIMCTL_CHILD_SECRET = 'secret';
  t.teardown(() => delete process.env.SIMCTL_CHILD_SECRET);
  await onSimulator(t, {}, async ({ mac, device }) => {
    await device.openUrl('https://example.com/', context());
    for (const call of mac.calls) {
      t.notOk(call.includes('booted') || call.includes('all'), call.join(' '));
    }
    // serve-sim, a Node.js program, is told to listen on loopback alone, and for whom.
    const known = ['PATH', 'HOME', 'NODE_OPTIONS', 'RUNCLOUD_HELPER_SECRET', '__CF_USER_TEXT_ENCODING'];
    for (const environment of mac.environments) {
      t.same(
        Object.keys(environment).filter((name) => !known.includes(name)),
        [],
      );
    }
  });
});
