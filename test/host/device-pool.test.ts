import t from 'tap';
import type { DeviceOptions } from '../../server/device/driver.ts';
import { DeviceFault } from '../../server/device/fault.ts';
import { DevicePool } from '../../server/host/device-pool.ts';
import type { PictureEncoder } from '../../server/host/stream/picture-encoder.ts';
import { HostLink } from '../../server/link/host-link.ts';
import { serveHost } from '../../server/link/host-side.ts';
import { RemoteDevice } from '../../server/link/remote-device.ts';
import { settled } from '../support/fake-clock.ts';
import { tap } from '../support/interaction-arena.ts';
import { performed } from '../support/performed.ts';
import { portPair } from '../support/port-pair.ts';
import { DESCRIPTOR, deferred, ScriptedDevice } from '../support/scripted-device.ts';
import { hostedPair, openScriptedHost, sourceOf } from '../support/scripted-host.ts';
import { standing } from '../support/session-arena.ts';

const UNREACHABLE = { name: 'DeviceFault', kind: 'unreachable' };

t.test('a device is opened as it was asked for and describes itself', async (t) => {
  const asked: DeviceOptions[] = [];
  const create = async (options: DeviceOptions) => {
    asked.push(options);
    return new ScriptedDevice();
  };
  const link = new HostLink(hostedPair(create as () => Promise<ScriptedDevice>).gateway);
  const options = { platform: 'android', orientation: 'landscape_left' } as const;
  t.strictSame((await RemoteDevice.open(link, 4, options)).descriptor, DESCRIPTOR);
  t.strictSame(asked, [options]);
});

t.test('a device that does not start says why, and its number stays closed', async (t) => {
  const pair = hostedPair(async () => {
    throw new DeviceFault('failed', 'The emulator has no image.');
  });
  const link = new HostLink(pair.gateway);
  await t.rejects(RemoteDevice.open(link, 1, { platform: 'ios' }), { message: 'The emulator has no image.' });
  await t.rejects(link.ask('screenshot', 1, { settled: false }).answered, UNREACHABLE);
});

t.test('every call on a closed or unknown device is unreachable', async (t) => {
  const { link, device } = await openScriptedHost();
  await device.close();
  await t.rejects(performed(device, tap('r'), 1).answered, UNREACHABLE);
  await t.rejects(device.openUrl('https://a/', 1).answered, UNREACHABLE);
  const step = new Promise<true>((answered, failed) => {
    device.pointer('begin', [{ x: 0, y: 0 }], 1, { answered, failed });
  });
  await t.rejects(step, UNREACHABLE);
  await t.rejects(device.screenshot(), UNREACHABLE);
  await t.rejects(device.inspect(), UNREACHABLE);
  await t.rejects(device.releaseAll(), UNREACHABLE);
  await t.rejects(device.close(), UNREACHABLE);
  await t.rejects(link.ask('inspect', 99, {}).answered, UNREACHABLE);
});

t.test('closing lifts what is held down first', async (t) => {
  const { device, scripted } = await openScriptedHost();
  await device.close();
  t.strictSame(scripted.housekeeping, ['releaseAll', 'close']);
});

t.test('a device that cannot lift is closed all the same', async (t) => {
  const { device, scripted } = await openScriptedHost();
  scripted.releaseAll = async () => {
    throw new DeviceFault('failed', 'The finger is stuck.');
  };
  await t.rejects(device.close(), { message: 'The finger is stuck.' });
  t.strictSame(scripted.housekeeping, ['close']);
});

t.test('a device that cannot be inspected says so', async (t) => {
  const { device } = await openScriptedHost();
  await t.rejects(device.inspect(), { name: 'DeviceFault', kind: 'failed' });
});

t.test('a URL crosses to the letter, with its number, and can be given up on the way', async (t) => {
  const { device, scripted } = await openScriptedHost();
  scripted.patient = true;
  const url = `Shop:${"%00$(x)'-".repeat(400)}`;
  const call = device.openUrl(url, 7);
  await settled();
  t.equal(scripted.lastOpenUrl.url, url);
  t.equal(scripted.lastOpenUrl.context.inputSeq, 7);
  scripted.lastOpenUrl.answer({ handler: 'shop' });
  t.strictSame(await call.answered, { handler: 'shop' });
  const given = device.openUrl(url, 8);
  await settled();
  t.equal(scripted.lastOpenUrl.context.signal.aborted, false);
  device.cancel(given.id);
  await t.rejects(given.answered, { name: 'DeviceFault', kind: 'aborted' });
});

t.test('only who wants the steps of a gesture is told them', async (t) => {
  const { device, scripted } = await openScriptedHost();
  scripted.patient = true;
  performed(device, tap('quiet'), 1);
  await settled();
  scripted.lastPerform.answer({});
  performed(device, tap('told'), 2, () => undefined);
  await settled();
  t.strictSame(
    scripted.performed.map(({ context }) => context.onStep !== undefined),
    [false, true],
  );
});

t.test("a device's own events reach its listener until the device is closed", async (t) => {
  const { device, scripted } = await openScriptedHost();
  const heard: string[] = [];
  device.listen({ lost: (reason) => void heard.push(reason), orientation: (value) => void heard.push(value) });
  scripted.turn('landscape_right');
  await settled();
  await device.close();
  scripted.turn('portrait');
  scripted.lose('unplugged');
  await settled();
  t.strictSame(heard, ['landscape_right']);
});

t.test('a device that is lost is told so once, and its calls fail', async (t) => {
  const { device, scripted } = await openScriptedHost();
  const heard: string[] = [];
  device.listen({ lost: (reason) => void heard.push(reason), orientation: () => undefined });
  scripted.patient = true;
  const running = t.rejects(performed(device, tap('r'), 1).answered, UNREACHABLE);
  await settled();
  scripted.lose('unplugged');
  scripted.lose('again');
  await running;
  await settled();
  t.strictSame(heard, ['unplugged']);
  t.strictSame(scripted.housekeeping, ['close'], 'it is given back, and not left to the next session as it is');
  await t.rejects(device.screenshot(), UNREACHABLE);
});

t.test('a lost device that is given back answers when it has been reset', async (t) => {
  const { device, scripted } = await openScriptedHost();
  const resetting = deferred<void>();
  scripted.close = () => resetting.promise;
  scripted.lose('unplugged');
  await settled();
  const closing = device.close();
  t.equal(await standing(closing), 'pending');
  await t.rejects(device.screenshot(), UNREACHABLE, 'nothing else is kept waiting');
  resetting.resolve();
  await t.rejects(closing, UNREACHABLE);
  await t.rejects(device.close(), UNREACHABLE);
});

t.test('a device is closed only when an encoder has read its last picture', async (t) => {
  const scripted = new ScriptedDevice();
  const reading = deferred<void>();
  const encoder: PictureEncoder = {
    repeatsCheaply: false,
    reading: reading.promise,
    encode: async ({ width, height }) => ({ key: true, width, height, payload: Uint8Array.of(1) }),
    close: () => undefined,
  };
  const pair = portPair();
  const source = sourceOf(async () => scripted);
  serveHost(pair.host, new DevicePool(source, { createEncoder: async () => encoder }));
  const device = await RemoteDevice.open(new HostLink(pair.gateway), 1, { platform: 'ios' });
  const seen = deferred<void>();
  device.watch(
    { encoding: 'jpeg', quality: 70, maxFps: 60 },
    { picture: () => seen.resolve(), ended: () => undefined },
  );
  await seen.promise;
  const closing = device.close();
  for (let turn = 0; turn < 4; turn++) await settled();
  t.strictSame(scripted.housekeeping, ['releaseAll']);
  reading.resolve();
  await closing;
  t.strictSame(scripted.housekeeping, ['releaseAll', 'close']);
});

t.test('a pool that stands still shows nothing more and closes no device', async (t) => {
  const scripted = new ScriptedDevice();
  const pair = portPair();
  const pool = new DevicePool(sourceOf(async () => scripted));
  serveHost(pair.host, pool);
  const device = await RemoteDevice.open(new HostLink(pair.gateway), 1, { platform: 'ios' });
  let pictures = 0;
  let ended = 0;
  const first = deferred<void>();
  device.watch(
    { encoding: 'jpeg', quality: 70, maxFps: 60 },
    {
      picture: () => {
        pictures++;
        first.resolve();
      },
      ended: () => void ended++,
    },
  );
  await first.promise;
  await pool.quiesce();
  scripted.show({ ...scripted.picture, version: 99 });
  for (let turn = 0; turn < 4; turn++) await settled();
  t.strictSame([pictures, ended, scripted.housekeeping], [1, 0, []]);
});

t.test('a device that takes taps at once is given them in their order, and never between others', async (t) => {
  const { device, scripted } = await openScriptedHost();
  const taken: string[] = [];
  scripted.tapNow = ({ x }, inputSeq) => {
    taken.push(`${x} ${inputSeq}`);
    return { pointCount: 1 };
  };
  t.strictSame(await performed(device, tap('one', 0.25), 1).answered, { pointCount: 1 });
  t.strictSame(taken, ['0.25 1']);
  scripted.patient = true;
  const busy = performed(device, { action: 'reload', requestId: 'two', timeoutMs: 1_000 }, 2);
  const behind = performed(device, tap('three'), 3);
  await settled();
  t.strictSame(taken, ['0.25 1'], 'it waits for its turn');
  scripted.lastPerform.answer({});
  await busy.answered;
  await settled();
  scripted.lastPerform.answer({ pointCount: 1 });
  t.strictSame(await behind.answered, { pointCount: 1 });
  t.strictSame(scripted.order, ['two', 'three']);
});
