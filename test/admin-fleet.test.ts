import { existsSync } from 'node:fs';
import t from 'tap';
import { placeOf } from '../server/fleet/subjects.ts';
import { fleetKeyOf } from '../server/fleet-key.ts';
import { readFleet } from '../server/fleet-settings.ts';
import { LocalPostgres } from '../server/local-postgres.ts';
import { databasePath } from '../server/store/database.ts';
import { admin, adminWith, json } from './support/admin-command.ts';
import { withoutPostgres } from './support/postgres.ts';
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

t.test('hosts that were added are listed, drained, resumed and removed', async (t) => {
  t.equal((await admin(dataDir.path, 'host', 'add', 'mac-2')).code, 0);
  const states = async () => {
    const { hosts } = json(await admin(dataDir.path, 'host', 'list', '--json'));
    return (hosts as { name: string; state: string }[]).map(({ name, state }) => `${name} ${state}`);
  };
  t.same(await states(), ['mac-1 added', 'mac-2 added']);
  t.match(await admin(dataDir.path, 'host', 'drain', 'mac-2'), { code: 0, stdout: 'mac-2 is draining\n' });
  t.same(await states(), ['mac-1 added', 'mac-2 draining']);
  t.equal((await admin(dataDir.path, 'host', 'resume', 'mac-2')).code, 0);
  t.match(await admin(dataDir.path, 'host', 'remove', 'mac-1'), {
    code: 0,
    stdout: /^mac-1 is removed\n.*NATS server/,
  });
  t.same(await states(), ['mac-1 removed', 'mac-2 added']);
  for (const verb of ['drain', 'resume', 'remove']) {
    t.match(await admin(dataDir.path, 'host', verb, 'mac-9'), { code: 1, stderr: /^No host "mac-9" was added/ });
  }
  t.match((await admin(dataDir.path, 'host', 'list')).stdout, /^mac-1 +\S+ {2}removed\nmac-2 +\S+ {2}added\n$/);
});

t.test('the commands work on the database that the edges have in common', { skip: withoutPostgres() }, async (t) => {
  const postgres = await LocalPostgres.start();
  t.teardown(() => postgres.close());
  const other = temporaryDataDir();
  t.teardown(() => other.remove());
  const environment = { RUNCLOUD_DATA_DIR: other.path, RUNCLOUD_DATABASE_URL: postgres.url };
  const run = (...args: string[]) => adminWith(environment, ...args);
  const { key } = json(await run('account', 'create', 'ada', '--json'));
  t.match(key, /^rck_/);
  t.match(await run('account', 'list'), { code: 0, stdout: /^acc_\w+ .* ada\n$/ });
  const first = json(await run('host', 'add', 'mac-1', '--json'));
  const second = json(await run('host', 'add', 'mac-2', '--json'));
  t.equal(
    (first.environment as Record<string, string>).RUNCLOUD_FLEET_KEY,
    (second.environment as Record<string, string>).RUNCLOUD_FLEET_KEY,
    'one key of the fleet',
  );
  t.match(await run('account', 'create', 'ADA'), { code: 1, stderr: /There is an account ADA already/ });
  t.notOk(existsSync(databasePath(other.path)), 'nothing is kept in the data directory');
  await postgres.stop();
  t.match(await run('account', 'list'), { code: 1, stderr: /^the database of RUNCLOUD_DATABASE_URL cannot be used/ });
});

t.test('a name that no host can have is refused', async (t) => {
  for (const name of ['edge', 'Mac', 'a.b', '']) {
    const { code, stdout, stderr } = await admin(dataDir.path, 'host', 'add', name);
    t.match({ code, stdout, stderr }, { code: 2, stdout: '', stderr: /^NAME has 1 to 32/ }, name);
  }
});
