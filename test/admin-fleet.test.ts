import t from 'tap';
import { placeOf } from '../server/fleet/subjects.ts';
import { fleetKeyOf } from '../server/fleet-key.ts';
import { readFleet } from '../server/fleet-settings.ts';
import { admin, json } from './support/admin-command.ts';
import { temporaryDataDir } from './support/server-process.ts';

const dataDir = temporaryDataDir();
t.teardown(() => dataDir.remove());

/** The settings that a command prints, as a process reads them. */
const settingsIn = (text: string) =>
  Object.fromEntries([...text.matchAll(/^(RUNCLOUD_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));

t.test('a new host gets settings that it can start with, and a user of the NATS server', async (t) => {
  const { code, stdout } = await admin(dataDir.path, 'host', 'add', 'mac-1');
  t.equal(code, 0);
  const settings = readFleet(settingsIn(stdout));
  t.match(settings, { role: 'host', hostName: 'mac-1', fleetKey: fleetKeyOf(dataDir.path), nats: { user: 'mac-1' } });
  t.match(stdout, `user: "mac-1", password: "${settings?.nats.password}"`);
  t.equal(placeOf('mac-1').length, 6);
});

t.test('an edge gets its own', async (t) => {
  const { environment, natsUser } = json(await admin(dataDir.path, 'edge', 'add', '--json'));
  t.match(readFleet(environment as Record<string, string>), { role: 'edge', nats: { user: 'edge' } });
  t.match(natsUser, 'user: "edge"');
});

t.test('a name that no host can have is refused', async (t) => {
  for (const name of ['edge', 'Mac', 'a.b', '']) {
    const { code, stdout, stderr } = await admin(dataDir.path, 'host', 'add', name);
    t.match({ code, stdout, stderr }, { code: 2, stdout: '', stderr: /^NAME has 1 to 32/ }, name);
  }
});
