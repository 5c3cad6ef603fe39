import t from 'tap';
import { Devicectl, readDisplay } from '../../../server/drivers/ios/devicectl.ts';
import { StandInMac } from '../../support/ios/stand-in-mac.ts';

const mac = await StandInMac.start({ devicectl: true });
t.teardown(() => mac.close());
const xcrun = `${mac.tools.PATH}/xcrun`;
const { udid, guest } = mac.add('Own', 'Booted');

t.test('a devicectl that has the commands turns a simulator and describes its display', async (t) => {
  const devicectl = await Devicectl.find(xcrun, mac.tools);
  await devicectl?.setOrientation(udid, 'landscapeLeft');
  t.equal(guest.phone.orientation, 'landscape_right');
  t.same(await devicectl?.display(udid), { scale: 1.5, orientation: 'landscape_right' });
  guest.phone.rotate('portrait', 0);
});

t.test('an older one is as good as none', async (t) => {
  mac.override = (args) =>
    args[0] === 'devicectl' ? { exitCode: 64, stderr: "Error: Unexpected argument 'orientation'\n" } : undefined;
  t.equal(await Devicectl.find(xcrun, mac.tools), undefined);
  mac.override = () => undefined;
});

t.test('a refusal is told in its words, garbage as garbage, and no simulator is meant by another name', async (t) => {
  const devicectl = await Devicectl.find(xcrun, mac.tools);
  if (!devicectl) throw new Error('not found');
  const unknown = '00000000-0000-0000-0000-000000000000';
  await t.rejects(devicectl.display(unknown), { kind: 'failed', message: /The device was not found\./ });
  for (const [stdout, exitCode] of [
    ['Segmentation fault', 139],
    ['', 0],
    ['{"info":', 0],
  ] as const) {
    mac.override = () => ({ stdout, exitCode });
    await t.rejects(devicectl.display(udid), { name: 'DeviceFault', kind: 'nonsense' }, stdout);
  }
  mac.override = () => ({ stdout: '{"info":{"outcome":"failed"}}' });
  await t.rejects(devicectl.setOrientation(udid, 'portrait'), { kind: 'failed', message: /no reason was given/ });
  mac.override = () => undefined;
  const { length } = mac.calls;
  for (const name of ['booted', '', '--help', udid.toLowerCase()])
    await t.rejects(devicectl.display(name), { name: 'DeviceFault', kind: 'failed' }, name);
  t.equal(mac.calls.length, length, 'no program was run for them');
});

t.test('of the displays the primary one counts, and what makes no sense is left out', async (t) => {
  const displays = [
    { pointScale: 1, currentOrientation: 'portrait' },
    { primary: true, pointScale: 3, currentOrientation: 'UIInterfaceOrientationLandscapeLeft' },
  ];
  t.same(readDisplay({ displays }), { scale: 3, orientation: 'landscape_left' });
  t.same(readDisplay({ displays: [{ pointScale: 2, currentOrientation: 'portraitUpsideDown' }] }), {
    scale: 2,
    orientation: 'portrait_upside_down',
  });
  const senseless: unknown[] = [
    undefined,
    null,
    {},
    { displays: 1 },
    { displays: [null] },
    { displays: [{ pointScale: 0 }] },
  ];
  senseless.push({ displays: [{ pointScale: '2', currentOrientation: 'unknown' }] });
  for (const value of senseless)
    t.same(readDisplay(value), { scale: undefined, orientation: undefined }, JSON.stringify(value));
});
