import t from 'tap';
import { OF_ROLES, ROLES, readFleet } from '../server/fleet-settings.ts';
import { SettingsError } from '../server/settings-error.ts';

const KEY = 'A'.repeat(43);
const HOST = {
  RUNCLOUD_ROLE: 'host',
  RUNCLOUD_NATS_URL: 'nats://mac-1:secret@nats.example.com:4222',
  RUNCLOUD_HOST_NAME: 'mac-1',
  RUNCLOUD_FLEET_KEY: KEY,
};
const EDGE = { RUNCLOUD_ROLE: 'edge', RUNCLOUD_NATS_URL: 'nats://127.0.0.1:4222' };

t.test('a service alone has no fleet, whether that is said or not', async (t) => {
  t.equal(readFleet({}), undefined);
  t.equal(readFleet({ RUNCLOUD_ROLE: 'all', RUNCLOUD_DEVICES: 'virtual-ios:1', RUNCLOUD_PORT: '0' }), undefined);
});

t.test('an edge and a host have what they need', async (t) => {
  t.strictSame(readFleet(EDGE), { role: 'edge', nats: { servers: ['nats://127.0.0.1:4222'] } });
  const nats = { servers: ['nats://nats.example.com:4222'], user: 'mac-1', password: 'secret' };
  t.strictSame(readFleet(HOST), { role: 'host', nats, hostName: 'mac-1', fleetKey: KEY });
  const cluster = { ...EDGE, RUNCLOUD_NATS_URL: 'tls://e:p%40ss@a:1, tls://e:p%40ss@b:2', RUNCLOUD_NATS_CREDS: '/c' };
  t.match(readFleet(cluster), {
    nats: { servers: ['tls://a:1', 'tls://b:2'], user: 'e', password: 'p@ss', credsPath: '/c' },
  });
});

t.test('a setting that the role does not take stops the start', async (t) => {
  const needed = { all: {}, edge: EDGE, host: HOST } as const;
  for (const [name, roles] of Object.entries(OF_ROLES)) {
    for (const role of ROLES) {
      if (roles.includes(role)) continue;
      const environment = { ...needed[role], [`RUNCLOUD_${name}`]: 'x' };
      t.throws(() => readFleet(environment), { message: `RUNCLOUD_${name} is no setting of the role ${role}` }, name);
      t.throws(() => readFleet(environment), SettingsError);
    }
  }
});

t.test('what cannot be used is named, and no password is told', async (t) => {
  const bad: Record<string, readonly string[]> = {
    RUNCLOUD_ROLE: ['', 'both'],
    RUNCLOUD_NATS_URL: [
      '',
      'http://u:geheim@a',
      'nats://',
      'nats://u:geheim@a:1,nats://v:geheim@b:1',
      'nats://u:geheim@a/x',
    ],
    RUNCLOUD_HOST_NAME: ['', 'Mac', '-a', 'a'.repeat(33), 'a.b'],
    RUNCLOUD_FLEET_KEY: ['', 'A'.repeat(42), `${'A'.repeat(42)}=`],
  };
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) {
      const refused = t.throws(() => readFleet({ ...HOST, [name]: value }), SettingsError, `${name}=${value}`);
      t.match(String(refused), name);
      t.notMatch(String(refused), 'geheim');
    }
  }
});
