import t from 'tap';
import { Screens } from '../../server/host/screens.ts';
import type { StreamPicture } from '../../server/link/messages.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { FoldingDevice } from '../support/folding-device.ts';
import { ScriptedDevice, solidPicture } from '../support/scripted-device.ts';
import { JPEG, quiet, ScriptedEncoder } from './stream/stream-arena.ts';

function open(device: ScriptedDevice) {
  const clock = Object.assign(new FakeClock(), { spend: () => undefined });
  const shown: [stream: number, version: number | undefined][] = [];
  const ended: [stream: number, reason: string][] = [];
  const sink = {
    picture: (stream: number, { payload }: StreamPicture) => void shown.push([stream, payload[0]]),
    ended: (stream: number, reason: string) => void ended.push([stream, reason]),
  };
  const createEncoder = async (profile: typeof JPEG) => new ScriptedEncoder(profile, clock);
  return { clock, shown, ended, screens: new Screens(device, sink, { clock, createEncoder }) };
}

const INNER = { ...JPEG, display: 'inner' };
const OUTER = { ...JPEG, display: 'outer' };

t.test('a stream of a named display shows that one, others show the active one', async (t) => {
  const device = new FoldingDevice();
  const { screens, shown } = open(device);
  device.show(solidPicture(7, 7));
  device.screens.outer.show(solidPicture(9, 9));
  await screens.watch(1, JPEG);
  await screens.watch(2, OUTER);
  await quiet();
  t.strictSame(shown, [
    [1, 7],
    [2, 9],
  ]);
  t.equal(device.screens.inner.captures, 0, 'a display that nobody watches is not captured');
});

t.test('a display that cannot be captured ends its own streams only, and can be watched again', async (t) => {
  const device = new FoldingDevice();
  const { clock, screens, shown, ended } = open(device);
  await screens.watch(1, JPEG);
  device.screens.outer.failure = new Error('no such panel');
  await screens.watch(2, OUTER);
  for (let tries = 0; tries < 12; tries++) {
    await quiet();
    await clock.advance(250);
  }
  t.strictSame(ended, [[2, 'the screen cannot be captured: no such panel']]);
  device.show(solidPicture(3, 3));
  await quiet();
  t.strictSame(shown.at(-1), [1, 3], 'the active display goes on');
  device.screens.outer.failure = undefined;
  device.screens.outer.picture = solidPicture(5, 5);
  await screens.watch(3, OUTER);
  await quiet();
  t.strictSame(shown.at(-1), [3, 5]);
});

t.test('a stream that is stopped, or asked for a key picture, is found whatever it shows', async (t) => {
  const device = new FoldingDevice();
  const { clock, screens, shown } = open(device);
  await screens.watch(1, INNER);
  await quiet();
  await clock.advance(100);
  screens.requestKey(1);
  await quiet();
  t.equal(shown.length, 2);
  screens.unwatch(1);
  device.screens.inner.show(solidPicture(2, 2));
  await quiet();
  t.equal(shown.length, 2);
});

t.test('a device with one display has no other to watch', async (t) => {
  const { screens } = open(new ScriptedDevice());
  await t.rejects(screens.watch(1, OUTER), { name: 'DeviceFault', kind: 'unsupported' });
});

t.test('closing ends the streams of every display', async (t) => {
  const { screens, ended } = open(new FoldingDevice());
  await screens.watch(1, JPEG);
  await screens.watch(2, OUTER);
  screens.close('the device was closed');
  await screens.settled();
  t.strictSame(ended, [
    [1, 'the device was closed'],
    [2, 'the device was closed'],
  ]);
});
