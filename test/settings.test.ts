import { resolve } from 'node:path';
import t from 'tap';
import { type Environment, parseDevices, readDataDir, readSettings, SettingsError } from '../server/settings.ts';

t.test('with nothing set the service runs on this machine with virtual devices', async (t) => {
  t.strictSame(readSettings({ PATH: '/bin', HOME: '/root' }), {
    host: '127.0.0.1',
    port: 8787,
    dataDir: resolve('.runcloud'),
    devices: [
      { driver: 'virtual', platform: 'ios', count: 4 },
      { driver: 'virtual', platform: 'android', count: 4 },
    ],
    tools: { PATH: '/bin', HOME: '/root' },
    openUrl: ['ios', 'android'],
    logLevel: 'info',
    rateLimit: { requestsPerSecond: 5_000, messagesPerSecond: 20_000 },
    recordingMaxMs: 14_400_000,
    diskHeadroom: { startBytes: 536_870_912, runningBytes: 134_217_728 },
    assetQuota: {
      ofAccount: { assets: 1_000, bytes: 21_474_836_480 },
      inAll: { assets: 10_000, bytes: 107_374_182_400 },
    },
  });
});

const good: readonly [environment: Environment, expected: object][] = [
  [{ RUNCLOUD_HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
  [{ RUNCLOUD_HOST: '::1' }, { host: '::1' }],
  [{ RUNCLOUD_HOST: 'localhost' }, { host: 'localhost' }],
  [{ RUNCLOUD_HOST: 'a-b.example.com' }, { host: 'a-b.example.com' }],
  [{ RUNCLOUD_PORT: '0' }, { port: 0 }],
  [{ RUNCLOUD_PORT: '65535' }, { port: 65_535 }],
  [{ RUNCLOUD_SOCKETS: 'uws' }, { sockets: 'uws' }],
  [{ RUNCLOUD_SOCKETS: 'ws' }, { sockets: 'ws' }],
  [
    { RUNCLOUD_TLS_CERT: '/etc/tls/cert.pem', RUNCLOUD_TLS_KEY: 'key.pem' },
    { tls: { cert: '/etc/tls/cert.pem', key: resolve('key.pem') } },
  ],
  [{ RUNCLOUD_DATA_DIR: '/var/lib/run cloud' }, { dataDir: '/var/lib/run cloud' }],
  [{ RUNCLOUD_DATA_DIR: 'data' }, { dataDir: resolve('data') }],
  [{ RUNCLOUD_PUBLIC_URL: 'https://devices.example.com' }, { publicUrl: 'https://devices.example.com' }],
  [{ RUNCLOUD_PUBLIC_URL: 'HTTP://Example.com:80/' }, { publicUrl: 'http://example.com' }],
  [{ RUNCLOUD_PUBLIC_URL: 'http://[::1]:8787' }, { publicUrl: 'http://[::1]:8787' }],
  [{ RUNCLOUD_API_KEY: 'x'.repeat(20) }, { apiKey: 'x'.repeat(20) }],
  [{ RUNCLOUD_API_KEY: `rck_${'~'.repeat(196)}` }, { apiKey: `rck_${'~'.repeat(196)}` }],
  [{ RUNCLOUD_LOG: 'silent' }, { logLevel: 'silent' }],
  [{ RUNCLOUD_CHECK_ANSWERS: '1' }, { checkAnswers: true }],
  [{ RUNCLOUD_RATE_LIMIT: 'off' }, { rateLimit: 'off' }],
  [{ RUNCLOUD_RATE_LIMIT: '1/10000000' }, { rateLimit: { requestsPerSecond: 1, messagesPerSecond: 10_000_000 } }],
  [{ RUNCLOUD_RECORDING_MAX: '1s' }, { recordingMaxMs: 1_000 }],
  [{ RUNCLOUD_RECORDING_MAX: '24h' }, { recordingMaxMs: 86_400_000 }],
  [{ RUNCLOUD_DISK_HEADROOM: '2/1' }, { diskHeadroom: { startBytes: 2_097_152, runningBytes: 1_048_576 } }],
  [
    { RUNCLOUD_ASSET_QUOTA: '3/1', RUNCLOUD_ASSET_QUOTA_TOTAL: '0/0' },
    { assetQuota: { ofAccount: { assets: 3, bytes: 1_048_576 }, inAll: { assets: 0, bytes: 0 } } },
  ],
  [{ RUNCLOUD_DISK_HEADROOM: '0/0' }, { diskHeadroom: { startBytes: 0, runningBytes: 0 } }],
  [{ RUNCLOUD_DEVICES: 'virtual-android:64' }, { devices: [{ driver: 'virtual', platform: 'android', count: 64 }] }],
  [
    { RUNCLOUD_DEVICES: 'virtual-android-fold:2,virtual-android:1' },
    {
      devices: [
        { driver: 'virtual', platform: 'android', variant: 'virtual-android-fold', count: 2 },
        { driver: 'virtual', platform: 'android', count: 1 },
      ],
    },
  ],
  [{ RUNCLOUD_OPEN_URL: 'on' }, { openUrl: ['ios', 'android'] }],
  [{ RUNCLOUD_OPEN_URL: 'off' }, { openUrl: [] }],
  [{ RUNCLOUD_OPEN_URL: 'ios' }, { openUrl: ['ios'] }],
  [{ RUNCLOUD_OPEN_URL: 'android' }, { openUrl: ['android'] }],
  [{ RUNCLOUD_BASE_URL: 'anything', RUNCLOUD_SESSION: 'anything' }, { port: 8_787 }],
  [{ RUNCLOUD_TYPO: undefined }, { port: 8_787 }],
];

for (const [environment, expected] of good) {
  t.test(`${JSON.stringify(environment)} is taken`, async (t) => {
    t.match(readSettings(environment), expected);
  });
}

const bad: Readonly<Record<string, readonly string[]>> = {
  RUNCLOUD_HOST: ['', ' ', 'http://x', 'localhost:80', '[::1]', '-x', 'a..b', 'a b', 'x'.repeat(300)],
  RUNCLOUD_PORT: ['', '-1', '65536', '80a', '8e3', ' 80', '1.5', '0x50', '9999999999'],
  RUNCLOUD_SOCKETS: ['', 'WS', 'uWebSockets.js', 'toString'],
  // Each alone as well.
  RUNCLOUD_TLS_CERT: ['', ' ', 'cert.pem'],
  RUNCLOUD_TLS_KEY: ['', ' ', 'key.pem'],
  RUNCLOUD_DATA_DIR: ['', '  '],
  RUNCLOUD_RECORDING_MAX: ['', '4', '0s', '999ms', '25h', '-1h', '4 h', 'forever'],
  RUNCLOUD_ASSET_QUOTA: ['', '5', '1001/5', '5/5/5', '-1/5', '5/1G', '/5', '5/'],
  RUNCLOUD_ASSET_QUOTA_TOTAL: ['off', '100001/5', '5/100000001'],
  RUNCLOUD_DISK_HEADROOM: ['', '512', '128/512', '1/2/0', '-1/0', '1.5/1', '512M/128M', '512/', '/1'],
  RUNCLOUD_CHECK_ANSWERS: ['', '0', 'on', 'true'],
  RUNCLOUD_OPEN_URL: ['', 'ON', 'ios,android', 'true', 'constructor', '__proto__'],
  RUNCLOUD_PUBLIC_URL: [
    '',
    'x',
    'ftp://x',
    'https://x/a',
    'https://x/?',
    'https://x#',
    'https://',
    'https://x y',
    '//x',
  ],
  RUNCLOUD_DEVICES: ['', ',', 'virtual-ios', 'virtual-ios:', 'virtual-ios:0', 'virtual-ios:65', 'virtual-ios:4,'],
  RUNCLOUD_LOG: ['', 'verbose', 'INFO', 'toString'],
  RUNCLOUD_RATE_LIMIT: [
    '',
    'on',
    '5000',
    '5000/',
    '/5000',
    '0/1',
    '1/0',
    '-1/1',
    '1/2/3',
    '1.5/2',
    '10000001/1',
    'OFF',
  ],
};

for (const [name, values] of Object.entries(bad)) {
  t.test(`a wrong ${name} is refused in one line that names it, what it holds and what is allowed`, async (t) => {
    for (const value of values) {
      const expected = { name: 'SettingsError', message: new RegExp(`^${name} is ".*"; allowed: .+$`) };
      t.throws(() => readSettings({ [name]: value }), expected, JSON.stringify(value));
    }
  });
}

t.test('a value with line breaks or of great length is shown in one short line', async (t) => {
  for (const value of ['1\n2\r3\u0000', '9'.repeat(100_000)]) {
    t.throws(() => readSettings({ RUNCLOUD_PORT: value }), { message: /^[^\n\r\0]{1,250}$/ });
  }
});

t.test('a wrong API key is refused without being shown', async (t) => {
  for (const key of [
    '',
    'short-secret',
    `secret ${'x'.repeat(30)}`,
    `secret${'x'.repeat(200)}`,
    `secret-${'é'.repeat(20)}`,
  ]) {
    const message = 'RUNCLOUD_API_KEY does not hold a key; allowed: 20 to 200 visible ASCII characters';
    t.throws(() => readSettings({ RUNCLOUD_API_KEY: key }), { name: 'SettingsError', message });
  }
});

t.test('a public address with a password is refused without showing it', async (t) => {
  const attempt = () => readSettings({ RUNCLOUD_PUBLIC_URL: 'https://me:hunter2@x' });
  t.throws(attempt, { message: /^RUNCLOUD_PUBLIC_URL holds user information[^\n]*$/ });
  t.throws(attempt, { message: /^(?!.*hunter2)/ });
});

t.test('a variable that is no setting is refused by name, without its value', async (t) => {
  t.throws(() => readSettings({ RUNCLOUD_PROT: 'hidden' }), {
    name: 'SettingsError',
    message: /^RUNCLOUD_PROT is not a setting; allowed: RUNCLOUD_HOST, (?!.*hidden)/,
  });
});

t.test('a list of devices is read in its order, with blanks around the commas', async (t) => {
  t.strictSame(
    parseDevices(
      'virtual-android:1 , android-emulator:auto,android-emulator:Pixel_8-API.35,ios-simulator:iPhone 15 Pro',
    ),
    [
      { driver: 'virtual', platform: 'android', count: 1 },
      { driver: 'android-emulator', platform: 'android', which: 'auto' },
      { driver: 'android-emulator', platform: 'android', which: 'Pixel_8-API.35' },
      { driver: 'ios-simulator', platform: 'ios', which: 'iPhone 15 Pro', count: 1 },
    ],
  );
  t.strictSame(parseDevices('android-adb:auto,android-adb:R58M12AB,android-adb:192.168.1.5:5555'), [
    { driver: 'android-adb', platform: 'android', which: 'auto' },
    { driver: 'android-adb', platform: 'android', which: 'R58M12AB' },
    { driver: 'android-adb', platform: 'android', which: '192.168.1.5:5555' },
  ]);
  t.match(parseDevices('ios-simulator:iPad (A16)*12'), [{ which: 'iPad (A16)', count: 12 }]);
  t.match(parseDevices('ios-simulator:6D4F2C0A-1111-2222-3333-444455556666'), [{ driver: 'ios-simulator' }]);
});

t.test('an entry that could reach a shell or that says nothing is refused', async (t) => {
  const wrong = ['android-emulator:', 'android-emulator:a b', 'android-emulator:a;b', 'ios-simulator:', 'web:1'];
  wrong.push(
    'ios-simulator:-x',
    'ios-simulator:$(id)',
    'ios-simulator:iPhone*0',
    'ios-simulator:iPhone*65',
    'ios-simulator:iPhone*2*2',
    'ios-simulator:iPhone*',
    'ios-simulator:*2',
    'android-emulator:a*2',
    'android-adb:',
    'android-adb:-d',
    'android-adb:a b',
    'android-adb:$(id)',
    'virtual-ios:4:5',
    'virtual-ios:04x',
    'toString:1',
    'Virtual-ios:1',
  );
  for (const entry of wrong) t.throws(() => parseDevices(`virtual-ios:1,${entry}`), SettingsError, entry);
});

t.test('an entry that is named twice is refused', async (t) => {
  t.throws(() => parseDevices('virtual-ios:1,virtual-ios:2'), { message: /names virtual-ios twice/ });
  t.throws(() => parseDevices('android-emulator:a,android-emulator:a'), { message: /names android-emulator:a twice/ });
  t.throws(() => parseDevices('ios-simulator:a*2,ios-simulator:a'), { message: /names ios-simulator:a twice/ });
});

t.test('a port of the adb server that is none is refused', async (t) => {
  for (const value of ['0', '65536', 'x', ''])
    t.throws(() => readSettings({ RUNCLOUD_ADB_PORT: value }), SettingsError);
  t.match(readSettings({ RUNCLOUD_ADB_PORT: '5038' }).tools, { RUNCLOUD_ADB_PORT: '5038' });
});

t.test("scrcpy's server is named by a path that tells its version, or with it", async (t) => {
  const file = '/opt/scrcpy-server-v3.3.4';
  t.match(readSettings({ RUNCLOUD_SCRCPY_SERVER: file }).tools, { RUNCLOUD_SCRCPY_SERVER: file });
  const other = { RUNCLOUD_SCRCPY_SERVER: '/opt/server.jar', RUNCLOUD_SCRCPY_VERSION: '4.1' };
  t.match(readSettings(other).tools, other);
  for (const [wrong, message] of [
    [{ RUNCLOUD_SCRCPY_SERVER: '' }, /^RUNCLOUD_SCRCPY_SERVER is "".*absolute path/],
    [{ RUNCLOUD_SCRCPY_SERVER: 'scrcpy-server-v4.1' }, /absolute path/],
    [{ RUNCLOUD_SCRCPY_SERVER: '/opt/server.jar' }, /^RUNCLOUD_SCRCPY_SERVER cannot be used: its version is not known/],
    [{ RUNCLOUD_SCRCPY_SERVER: '/opt/scrcpy-server-v2.7' }, /3\.x or 4\.x/],
    [{ RUNCLOUD_SCRCPY_SERVER: file, RUNCLOUD_SCRCPY_VERSION: 'x' }, /the version is none/],
    [{ RUNCLOUD_SCRCPY_VERSION: '4.1' }, /^RUNCLOUD_SCRCPY_VERSION is "4\.1"; allowed: only together/],
  ] as const) {
    t.throws(() => readSettings(wrong), { name: 'SettingsError', message }, JSON.stringify(wrong));
  }
});

t.test('the admin command reads the data directory by the same rule', async (t) => {
  t.equal(readDataDir({}), resolve('.runcloud'));
  t.equal(readDataDir({ RUNCLOUD_DATA_DIR: '/x' }), '/x');
  t.throws(() => readDataDir({ RUNCLOUD_DATA_DIR: '' }), SettingsError);
});

t.test(
  'programs of devices learn where things are, and no secret and nothing that would send them elsewhere',
  async (t) => {
    const kept = { PATH: '/bin', HOME: '/root', ANDROID_HOME: '/sdk', XDG_RUNTIME_DIR: '/run/1', DEVELOPER_DIR: '/x' };
    const given = {
      ...kept,
      RUNCLOUD_API_KEY: 'a-key-that-is-long-enough',
      AWS_SECRET_ACCESS_KEY: 'x',
      ANDROID_SERIAL: 'emulator-5556',
      ADB_SERVER_SOCKET: 'tcp:elsewhere:5037',
      ANDROID_ADB_SERVER_PORT: '5037',
      SIMCTL_CHILD_X: '1',
      DYLD_INSERT_LIBRARIES: '/evil.dylib',
      LD_PRELOAD: '/evil.so',
      NODE_OPTIONS: '--require=/evil.js',
    };
    t.strictSame(readSettings(given).tools, kept);
  },
);

t.test(
  'an object store has an address, a bucket and a key, or none of them, and no value of them is told',
  async (t) => {
    const whole = {
      RUNCLOUD_S3_URL: 'https://s3.example.com/',
      RUNCLOUD_S3_BUCKET: 'recordings',
      RUNCLOUD_S3_ACCESS_KEY_ID: 'AKID',
      RUNCLOUD_S3_SECRET_ACCESS_KEY: 'not+for/anybody',
    };
    t.same(readSettings(whole).objectStore, {
      url: 'https://s3.example.com',
      bucket: 'recordings',
      region: 'us-east-1',
      accessKeyId: 'AKID',
      secretAccessKey: 'not+for/anybody',
    });
    t.equal(readSettings({}).objectStore, undefined);
    for (const name of Object.keys(whole)) {
      for (const value of [undefined, '', 'ä b not-for-anybody', 'ftp://u: not-for-anybody@x/']) {
        const settings = { ...whole, [name]: value };
        t.throws(() => readSettings(settings), { message: new RegExp(`^${name} (?!.*anybody)`) }, `${name} ${value}`);
      }
    }
    t.throws(() => readSettings({ ...whole, RUNCLOUD_S3_REGION: 'Über' }), { message: /^RUNCLOUD_S3_REGION/ });
  },
);
