import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { Device } from '../../../server/device/driver.ts';
import type { DeviceFault } from '../../../server/device/fault.ts';
import type { DeviceTarget } from '../../../server/device/target.ts';
import { IosDriver } from '../../../server/drivers/ios/ios-driver.ts';
import { runningChildren } from '../../../server/drivers/process/children.ts';
import type { CompanionStandIn } from '../../support/ios/companion-stand-in.ts';
import { ServeSimStandIn } from '../../support/ios/serve-sim-stand-in.ts';
import { StandInMac, type StandInOptions } from '../../support/ios/stand-in-mac.ts';

const WHICH = 'iPhone Stand-In';
const common = { requestId: 'r', timeoutMs: 15_000 };
const context = (signal = new AbortController().signal) => ({ inputSeq: 1, signal });

interface Stage {
  readonly mac: StandInMac;
  readonly driver: IosDriver;
  readonly target: DeviceTarget;
}

async function onMac(
  t: Test,
  { healthMs, ...options }: StandInOptions & { readonly healthMs?: number },
  prove: (stage: Stage) => Promise<void>,
): Promise<void> {
  const mac = await StandInMac.start(options);
  const driver = new IosDriver(healthMs);
  try {
    const [found] = await driver.discover({ driver: 'ios-simulator', which: WHICH, tools: mac.tools });
    if (!found) throw new Error('nothing was found');
    await prove({ mac, driver, target: found.target });
  } finally {
    await driver.close();
    t.equal(runningChildren(), 0, 'no program goes on');
    await mac.close();
  }
}

const open = ({ driver, target }: Stage): Promise<Device> => driver.open(target, { platform: 'ios', target });

const faultOf = (work: Promise<unknown>): Promise<DeviceFault> =>
  work.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: DeviceFault) => error,
  );

async function until(fits: () => boolean): Promise<void> {
  while (!fits()) await sleep(10);
}

const failure = (code: number, line: string) => ({
  exitCode: code,
  stderr: `An error was encountered processing the command (domain=X, code=${code}):\n${line}\n`,
});

/** The helper that runs now. */
function helperOf(mac: StandInMac): ServeSimStandIn {
  const helper = mac.helpers.at(-1);
  if (!(helper instanceof ServeSimStandIn)) throw new Error('no serve-sim runs');
  return helper;
}

t.test('touches that go nowhere are found out before a session begins', async (t) => {
  await onMac(t, {}, async (stage) => {
    await stage.driver.makeReady(stage.target);
    stage.mac.booted.guest.deaf = true;
    t.match(await faultOf(open(stage)), { kind: 'unavailable', message: /did not move its home screen/ });
  });
});

t.test('pictures that cannot be decoded are asked for anew, and found out when they stay so', async (t) => {
  await onMac(t, {}, async (stage) => {
    const device = await open(stage);
    const helper = helperOf(stage.mac);
    t.match(await device.capture(), { width: 590, height: 1280 });
    // One unit of the first one's type, and noise in it.
    helper.garble = (bytes) => {
      if (bytes[4] === 1 || bytes[4] === 4) return bytes;
      const noisy = Buffer.from(bytes).fill(0x5a, 10);
      // Units lie behind the message's head of five bytes, each behind its length.
      noisy.writeUInt32BE(bytes.length - 9, 5);
      return noisy;
    };
    const { guest } = stage.mac.booted;
    const lost = new Promise<string>((resolve) => device.onLost(resolve));
    for (let tries = 0; tries < 40; tries++) {
      guest.touch('begin', [{ x: 0.3 + (tries % 2) / 5, y: 0.5 }]);
      guest.touch('move', [{ x: 0.5, y: 0.5 + (tries % 3) / 10 }]);
      guest.touch('end', [{ x: 0.5, y: 0.5 }]);
      const ended = await Promise.race([
        lost,
        device.capture().then(
          () => undefined,
          () => undefined,
        ),
      ]);
      if (ended !== undefined) return void t.match(ended, /cannot be decoded/);
      await sleep(100);
    }
    // The decoder may conceal noise; then there are pictures, and they have the size that was told.
    t.match(await device.capture(), { width: 590, height: 1280 });
  });
});

t.test('a simulator that cannot be booted, and lists that are none, make a slot that is not offered', async (t) => {
  await onMac(t, {}, async ({ mac, driver, target }) => {
    mac.override = (args) => (args[1] === 'boot' ? failure(2, 'Unable to boot the Simulator.') : undefined);
    t.match(await faultOf(driver.makeReady(target)), { kind: 'failed', message: /Unable to boot/ });
    t.same(mac.made, [], 'what was made for it is gone');
    mac.override = (args) => (args[1] === 'list' ? { stdout: 'xcrun: error: \u001b[31m' } : undefined);
    t.match(await faultOf(driver.makeReady(target)), { kind: 'nonsense' });
    mac.override = (args) => (args[1] === 'create' ? { stdout: 'booted\n' } : undefined);
    t.match(await faultOf(driver.makeReady(target)), { kind: 'nonsense' });
    mac.override = () => undefined;
    t.match(await driver.makeReady(target), { width: 590 });
  });
});

t.test('an interaction that is ended lifts its finger, its keys and its buttons before it rejects', async (t) => {
  await onMac(t, {}, async (stage) => {
    const device = await open(stage);
    const { guest } = stage.mac.booted;
    const before = guest.arrivals.length;
    const steps = [
      {
        phase: 'begin' as const,
        points: [
          { x: 0.5, y: 0.5 },
          { x: 0.6, y: 0.6 },
        ],
        delayMs: 5_000,
      },
      {
        phase: 'end' as const,
        points: [
          { x: 0.5, y: 0.5 },
          { x: 0.6, y: 0.6 },
        ],
        delayMs: 0,
      },
    ];
    for (const request of [
      { ...common, action: 'gesture', steps },
      { ...common, action: 'pressKey', key: 'a', modifiers: ['shift', 'meta'], durationMs: 5_000 },
      { ...common, action: 'pressButton', button: 'volumeUp', durationMs: 5_000 },
    ] as const) {
      const abort = new AbortController();
      const work = faultOf(device.perform(request as never, context(abort.signal)));
      await until(() => {
        const { pointers, heldKeys, heldButtons } = guest.inspect();
        return pointers.length + heldKeys.length + heldButtons.length > 0;
      });
      abort.abort();
      const fault = await work;
      t.match(fault, { kind: 'aborted' }, request.action);
      t.match(guest.inspect(), {
        pointers: { length: 0 },
        heldKeys: { length: 0 },
        heldButtons: { length: 0 },
        modifiers: { length: 0 },
      });
    }
    const keys = guest.arrivals
      .slice(before)
      .filter(({ what }) => what === 'key')
      .map(({ detail }) => detail);
    t.same(keys, [
      { type: 'down', usage: 0xe1 },
      { type: 'down', usage: 0xe3 },
      { type: 'down', usage: 0x04 },
      { type: 'up', usage: 0x04 },
      { type: 'up', usage: 0xe3 },
      { type: 'up', usage: 0xe1 },
    ]);
  });
});

for (const helper of ['serve-sim', 'idb_companion'] as const) {
  t.test(`with ${helper}: a simulator that somebody shuts down is lost, and is told to be`, async (t) => {
    await onMac(t, { helpers: [helper], healthMs: 300 }, async (stage) => {
      const device = await open(stage);
      const lost = new Promise<string>((resolve) => device.onLost(resolve));
      const early = await Promise.race([lost, new Promise<string>((r) => setTimeout(r, 1_500, 'nothing is told'))]);
      t.equal(early, 'nothing is told', 'one that is well is not lost');
      stage.mac.booted.state = 'Shutdown';
      t.match(await lost, /does not run any more/);
    });
  });

  t.test(`with ${helper}: a helper that falls silent while nobody touches is found out`, async (t) => {
    await onMac(t, { helpers: [helper], healthMs: 300 }, async (stage) => {
      const device = await open(stage);
      const lost = new Promise<string>((resolve) => device.onLost(resolve));
      const stand = stage.mac.helpers.at(-1);
      if (stand) stand.hangs = true;
      t.match(await lost, /does not (answer|say)/);
    });
  });
}

t.test('when the caller learns that an input was ended, the input is lifted, however slow the helper is', async (t) => {
  await onMac(t, { helpers: ['idb_companion'] }, async (stage) => {
    const device = await open(stage);
    const { guest } = stage.mac.booted;
    const stand = stage.mac.helpers.at(-1) as CompanionStandIn;
    stand.slowMs = 100;
    const hold = { ...common, action: 'pressKey', key: 'a', modifiers: ['shift'], durationMs: 5_000 } as const;
    const abort = new AbortController();
    const work = faultOf(device.perform(hold as never, context(abort.signal)));
    await until(() => guest.inspect().heldKeys.length > 0);
    abort.abort();
    t.match(await work, { kind: 'aborted' });
    t.match(guest.inspect(), { heldKeys: { length: 0 }, modifiers: { length: 0 } });
  });
});

t.test('a host without Xcode, or without a helper, is told which program is missing and how to get it', async (t) => {
  const driver = new IosDriver();
  const query = { driver: 'ios-simulator', which: WHICH, tools: { PATH: '' } } as const;
  t.match(await faultOf(driver.discover(query)), {
    kind: 'unavailable',
    message: /`xcrun` is missing: .*install Xcode/,
  });
  const mac = await StandInMac.start({ helpers: [] });
  const bare = { ...query, tools: mac.tools };
  t.match(await faultOf(driver.discover(bare)), {
    kind: 'unavailable',
    message: /`serve-sim` is missing: .*npm install/,
  });
  await mac.close();
});
