import t, { type Test } from 'tap';
import type { Picture } from '../../../server/device/driver.ts';
import { AdbBackend } from '../../../server/drivers/android/adb/adb-backend.ts';
import { AndroidDevice } from '../../../server/drivers/android/android-device.ts';
import { describeAttached } from '../../../server/drivers/android/attached/attached-devices.ts';
import { describeGuest } from '../../../server/drivers/android/guest/describe-guest.ts';
import { Guest } from '../../../server/drivers/android/guest/guest.ts';
import { GuestApps } from '../../../server/drivers/android/guest/guest-apps.ts';
import type { BackendListener } from '../../../server/drivers/android/input-backend.ts';
import { directShell } from '../../support/android/direct-shell.ts';
import { FOLD_DISPLAYS, INNER, OUTER } from '../../support/android/fold-displays.ts';
import { GuestPhone } from '../../support/android/guest-phone.ts';
import { GuestSystem } from '../../support/android/guest-system.ts';

/** A foldable that is seen by `screencap` and touched by `input`. */
async function openFoldable(t: Test) {
  const guest = new GuestPhone(FOLD_DISPLAYS);
  const system = new GuestSystem(guest, 'Stand-in fold');
  const shell = directShell(system);
  const descriptor = await describeGuest(shell, describeAttached('fold'));
  const listener: BackendListener = { changed: () => device?.changed(), lost: (reason) => device?.lost(reason) };
  let device: AndroidDevice | undefined;
  const backend = await AdbBackend.open(shell, descriptor, listener);
  device = new AndroidDevice({
    descriptor,
    backend,
    apps: new GuestApps(shell, new Guest(shell), new Set(), []),
    guest: new Guest(shell),
    clipboard: undefined,
    location: undefined,
    network: undefined,
    logs: undefined,
    keep: undefined,
    shell,
    outlives: true,
    used: [],
    changes: undefined,
    noteUsed: async () => undefined,
    noteInstalled: async () => undefined,
    restore: async () => undefined,
    release: () => undefined,
  });
  t.teardown(async () => {
    await device?.close();
    guest.phone.close();
  });
  return { device, guest, system };
}

const isDark = ({ pixels }: Picture) => pixels.every((value, index) => value === (index % 4 === 3 ? 255 : 0));
const context = { inputSeq: 1, signal: new AbortController().signal };

t.test('a foldable lists its panels, and is seen on the active one', async (t) => {
  const { device, guest } = await openFoldable(t);
  t.match(device.descriptor, {
    width: INNER.width,
    height: INNER.height,
    displays: [
      { ...INNER, active: true },
      { ...OUTER, active: false },
    ],
  });
  const picture = await device.capture();
  t.match(picture, { display: INNER.name, width: INNER.width, height: INNER.height });
  t.ok(Buffer.from(picture.pixels).equals(guest.phone.render().pixels));
});

t.test('a fold is noticed by the next look; pictures and touches are then of the other panel', async (t) => {
  const { device, guest, system } = await openFoldable(t);
  let told = 0;
  device.onDisplays(() => told++);
  await device.capture();
  guest.phone.fold(true);
  device.changed();
  t.match(await device.capture(), { display: OUTER.name, width: OUTER.width, height: OUTER.height });
  t.equal(told, 1);
  t.match(device.descriptor, { width: OUTER.width, displays: [{ active: false }, { active: true }] });
  guest.phone.fold(false);
  const tap = { action: 'tap', x: 1, y: 1 } as const;
  await device.perform(tap, context);
  t.match(
    system.log.at(-1),
    ['input', 'tap', String(INNER.width - 1), String(INNER.height - 1)],
    'also without a look',
  );
});

t.test('a panel is looked at by its name, active or not', async (t) => {
  const { device, guest } = await openFoldable(t);
  const [inner, outer] = [device.display(INNER.name), device.display(OUTER.name)];
  t.match(await outer.capture(), { display: OUTER.name, width: OUTER.width, height: OUTER.height });
  t.ok(isDark(await outer.capture()));
  t.notOk(isDark(await inner.capture()));
  await device.perform({ action: 'tap', x: 0.5, y: 0.5 }, { ...context, inputSeq: 8 });
  t.match(await outer.capture(), { inputSeq: 8 }, 'it tells of inputs too');
  let changes = 0;
  outer.onChange(() => changes++);
  guest.phone.fold(true);
  while (changes === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  t.notOk(isDark(await outer.capture()));
  t.throws(() => device.display('7'), { name: 'DeviceFault', kind: 'unsupported' });
});
