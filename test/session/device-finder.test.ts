import t from 'tap';
import type { FoundDevice } from '../../server/device/driver.ts';
import { DeviceFault } from '../../server/device/fault.ts';
import type { DeviceQuery } from '../../server/device/target.ts';
import { DeviceFinder } from '../../server/session/device-finder.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';
import { DESCRIPTOR } from '../support/scripted-device.ts';

const query: DeviceQuery = { driver: 'android-emulator', which: 'auto', tools: {} };
const device = (id: string): FoundDevice => ({
  platform: 'android',
  target: { driver: 'android-emulator', id, facts: {}, tools: {} },
  descriptor: DESCRIPTOR,
});

t.test('devices are found before the service starts, and those that come later as well', async (t) => {
  const clock = new FakeClock();
  const there = [device('one')];
  const found: string[] = [];
  const onFound = ({ target }: FoundDevice) => found.push(target.id);
  const finder = new DeviceFinder({ queries: [query], ask: async () => there, onFound, clock });
  await finder.begin();
  t.same(found, ['one']);
  there.push(device('two'));
  await clock.advance(15_000);
  await settled();
  t.same(found, ['one', 'one', 'two']);
  finder.close();
  await clock.advance(60_000);
  await settled();
  t.equal(found.length, 3);
});

t.test('a host without the programs stops the start; one that loses them later goes on', async (t) => {
  const clock = new FakeClock();
  const fault = new DeviceFault('unavailable', 'the program `adb` is missing');
  let fails = true;
  const ask = async () => {
    if (fails) throw fault;
    return [];
  };
  const finder = new DeviceFinder({ queries: [query], ask, onFound: () => undefined, clock });
  await t.rejects(finder.begin(), fault);
  fails = false;
  await finder.begin();
  fails = true;
  await clock.advance(15_000);
  await settled();
  finder.close();
});

t.test('without a wish nobody is asked', async (t) => {
  const ask = () => t.fail('asked') as never;
  await new DeviceFinder({ queries: [], ask, onFound: () => undefined, clock: new FakeClock() }).begin();
});

t.test('a finder that is closed in the middle of a search sends no further query', async (t) => {
  const clock = new FakeClock();
  const asked: string[] = [];
  let answer: () => void = () => undefined;
  const ask = async ({ which }: DeviceQuery) => {
    asked.push(which);
    if (asked.length > 2) await new Promise<void>((resolve) => (answer = resolve));
    return [];
  };
  const queries = ['one', 'two'].map((which) => ({ ...query, which }));
  const finder = new DeviceFinder({ queries, ask, onFound: () => undefined, clock });
  await finder.begin();
  await clock.advance(15_000);
  await settled();
  t.same(asked, ['one', 'two', 'one']);
  finder.close();
  answer();
  await settled();
  await clock.advance(60_000);
  t.same(asked, ['one', 'two', 'one']);
});
