import t from 'tap';
import { newestRuntime, parseSimulatorList } from '../../../server/drivers/ios/simulator-list.ts';

const UDID = '0A1B2C3D-0000-4E5F-8A9B-0123456789AB';
const RUNTIME = 'com.apple.CoreSimulator.SimRuntime.iOS-17-5';
const TYPE = 'com.apple.CoreSimulator.SimDeviceType.iPhone-15';

const device = (fields: object) => ({
  udid: UDID,
  name: 'iPhone 15',
  state: 'Shutdown',
  isAvailable: true,
  deviceTypeIdentifier: TYPE,
  dataPath: '/Users/someone/Library/Developer/CoreSimulator/Devices/x/data',
  ...fields,
});

const runtime = (identifier: string, version: string, fields: object = {}) => ({
  identifier,
  version,
  buildversion: '21F79',
  name: `iOS ${version}`,
  isAvailable: true,
  supportedDeviceTypes: [{ identifier: TYPE, name: 'iPhone 15' }],
  ...fields,
});

const list = (fields: object) =>
  parseSimulatorList(JSON.stringify({ devices: {}, devicetypes: [], runtimes: [], ...fields }));

t.test('simulators come with the version of their runtime', async (t) => {
  const { simulators } = list({
    devices: { [RUNTIME]: [device({})], 'com.apple.CoreSimulator.SimRuntime.watchOS-10-5': [device({})] },
    runtimes: [runtime(RUNTIME, '17.5')],
  });
  t.same(simulators, [
    {
      udid: UDID,
      name: 'iPhone 15',
      state: 'Shutdown',
      available: true,
      deviceType: TYPE,
      runtime: RUNTIME,
      osVersion: '17.5',
    },
  ]);
});

t.test('entries that do not have the documented form are left out', async (t) => {
  const hostile = [
    device({ udid: 'booted' }),
    device({ udid: 7 }),
    device({ deviceTypeIdentifier: '--set' }),
    device({ deviceTypeIdentifier: undefined }),
    null,
    'text',
    [],
  ];
  const { simulators, deviceTypes, runtimes } = list({
    devices: { [RUNTIME]: hostile, 'com.apple.CoreSimulator.SimRuntime.iOS-17-5; rm': [device({})], __proto__: [] },
    devicetypes: [{ identifier: 'x y', name: 'no' }, 3, { identifier: TYPE }],
    runtimes: [runtime('iOS', '17'), runtime(RUNTIME, '17; rm'), { identifier: RUNTIME }],
  });
  t.same([simulators, runtimes], [[], []]);
  t.same(deviceTypes, [{ identifier: TYPE, name: '' }]);
});

t.test('names are short and printable, unknown states count as neither on nor off', async (t) => {
  const { simulators } = list({
    devices: { [RUNTIME]: [device({ name: `a\u001b[31mb\u202e\n${'c'.repeat(500)}`, state: 'Melting' })] },
  });
  t.equal(simulators[0]?.name.length, 100);
  t.match(simulators[0]?.name, /^a\[31mbccc/);
  t.match(simulators[0], { state: 'other', osVersion: '' });
});

t.test('text that is no JSON object is refused', async (t) => {
  for (const text of ['', 'xcrun: error', '[]', 'null', '{'])
    t.throws(() => parseSimulatorList(text), SyntaxError, text);
});

t.test('a device type gets the newest available runtime that runs it', async (t) => {
  const name = (version: string) => `com.apple.CoreSimulator.SimRuntime.iOS-${version.replace('.', '-')}`;
  const found = list({
    runtimes: [
      runtime(name('9.3'), '9.3'),
      runtime(name('17.10'), '17.10'),
      runtime(name('17.9'), '17.9'),
      runtime(name('18.0'), '18.0', { isAvailable: false }),
      runtime(name('19.0'), '19.0', { supportedDeviceTypes: [] }),
    ],
  });
  t.equal(newestRuntime(found, TYPE)?.version, '17.10');
  t.equal(newestRuntime(found, `${TYPE}-Pro`), undefined);
});
