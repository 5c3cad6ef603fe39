import t from 'tap';
import { VirtualDevice } from '../../../server/drivers/virtual/virtual-device.ts';
import { VIRTUAL_VARIANTS } from '../../../server/phone/models.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const FOLD = VIRTUAL_VARIANTS['virtual-android-fold'].descriptor;

function openFold(t: { teardown(task: () => unknown): void }) {
  const device = new VirtualDevice({ platform: 'android', model: FOLD.model }, new FakeClock());
  t.teardown(() => device.close());
  return device;
}

t.test('a device of the foldable model has two displays, others have one and say nothing of it', async (t) => {
  const device = openFold(t);
  t.strictSame(device.descriptor, FOLD);
  t.match(await device.inspect(), { display: 'inner' });
  t.match(await device.capture(), { display: 'inner' });
  const plain = new VirtualDevice({ platform: 'android', model: 'Virtual Android' }, new FakeClock());
  t.teardown(() => plain.close());
  t.notOk(
    'displays' in plain.descriptor || 'display' in (await plain.inspect()) || 'display' in (await plain.capture()),
  );
});

t.test('an input is confirmed by the pictures of every display, also where it changes nothing', async (t) => {
  const device = openFold(t);
  const [inner, outer] = [device.display('inner'), device.display('outer')];
  const told: string[] = [];
  inner.onChange(() => void told.push('inner'));
  outer.onChange(() => void told.push('outer'));
  const { version } = await outer.capture();
  await inner.capture();
  device.tapNow({ x: 0.5, y: 0.3 }, 7);
  t.same(told.sort(), ['inner', 'outer']);
  t.match(await outer.capture(), { inputSeq: 7, version });
  t.match(await inner.capture(), { inputSeq: 7 });
});

t.test('a display that is none is a fault', async (t) => {
  t.throws(() => openFold(t).display('rear'), { name: 'DeviceFault', kind: 'unsupported' });
});
