import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parsePlist } from 'plist';
import t from 'tap';
import { edgeUser, hostUser, natsEntryOf } from '../../server/fleet/nats-users.ts';
import { fleetKeyOf } from '../../server/fleet-key.ts';
import { readSettings } from '../../server/settings.ts';
import {
  composeServices,
  composeVariables,
  copiesOf,
  DEPLOY,
  deployFile,
  dockerSteps,
  execOf,
  proposedSettings,
  unitEnvironment,
} from '../support/deploy-files.ts';
import { withoutNats } from '../support/nats-server.ts';
import { temporaryDataDir } from '../support/server-process.ts';

/** The files for operators say what the code says. */

const folder = temporaryDataDir();
t.teardown(() => folder.remove());
const fleetKey = fleetKeyOf(join(folder.path, 'edge'));
/** Values for all variables of compose.yaml. */
const VALUES = {
  ...Object.fromEntries(composeVariables().map(([name]) => [name, `value-of-${name.toLowerCase()}`])),
  STORE_DOMAIN: 'store.example.com',
  FLEET_DOMAIN: 'devices.example.com',
  FLEET_KEY: fleetKey,
};
const TLS = 'test/support/tls';

const missing = (program: string, option: string): string | false =>
  spawnSync(program, [option], { stdio: 'ignore' }).error ? `${program} is not installed` : false;

function run(file: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { PATH = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', env: { PATH, ...environment } });
  return { status, said: `${stdout}${stderr}` };
}

t.test('compose.yaml: each service of ours starts with its settings, and needs no other ones', async (t) => {
  const services = composeServices(VALUES);
  const roleOf = (name: string) => readSettings(services[name]?.environment ?? {}).fleet;
  const ours = Object.keys(services).filter((name) => services[name]?.image === 'runcloud');
  t.same(ours, ['edge-1', 'edge-2', 'host-1']);
  for (const edge of ['edge-1', 'edge-2']) {
    t.match(roleOf(edge), { role: 'edge', nats: { user: 'edge' }, databaseUrl: /@postgres:5432\/runcloud$/ }, edge);
    t.match(readSettings(services[edge]?.environment ?? {}), { objectStore: { url: 'https://store.example.com' } });
  }
  t.match(roleOf('host-1'), { role: 'host', hostName: 'host-1', nats: { user: 'host-1' }, fleetKey });
  // A host whose key is not yet known does not start.
  const early = composeServices({ ...VALUES, FLEET_KEY: '' })['host-1']?.environment ?? {};
  t.throws(() => readSettings(early), /RUNCLOUD_FLEET_KEY is absent/);
});

t.test('compose.yaml: the ports of the edges are those of the balancer, which alone is open to others', async (t) => {
  const services = composeServices(VALUES);
  const servers = [...deployFile('haproxy.cfg').matchAll(/^ {2}server (edge-\d) (\S+):(\d+)$/gm)];
  t.same(
    servers.map(([, name = '', address, port]) => [name, address, port]),
    Object.entries(services).flatMap(([name, { environment, network_mode }]) =>
      network_mode === 'service:balancer' ? [[name, '127.0.0.1', environment?.RUNCLOUD_PORT]] : [],
    ),
  );
  t.equal(servers.length, 2);
  for (const [name, { ports = [] }] of Object.entries(services)) {
    t.same(ports, name === 'balancer' ? ['443:443'] : [], name);
  }
});

t.test(
  'compose.yaml: no value has a default, no secret is written, and each file that it mounts is there',
  async (t) => {
    for (const [name, rest] of composeVariables()) {
      // A public key, without which the host does not start.
      t.ok(rest.startsWith(':?') || name === 'FLEET_KEY', `${name} has to be given`);
    }
    const secret = /PASSWORD|SECRET|ACCESS_KEY|_URL$/;
    const given = Object.values(composeServices(Object.fromEntries(composeVariables().map(([name]) => [name, '\0']))));
    for (const { environment = {}, volumes = [] } of given) {
      for (const [name, value] of Object.entries(environment)) if (secret.test(name)) t.match(value, '\0', name);
      for (const volume of volumes) {
        const [, file] = /^\.\/([^:]+):/.exec(volume) ?? [];
        if (file !== undefined) t.ok(existsSync(join(DEPLOY, file)), file);
      }
    }
  },
);

for (const [role, name] of [
  ['edge', 'edge.env'],
  ['host', 'host.env'],
] as const) {
  const unit = `runcloud-${role}.service`;
  t.test(`${unit}: the ${role} starts with its settings, and all that ${name} proposes`, async (t) => {
    const own = unitEnvironment(unit);
    const proposed = proposedSettings(name);
    if (role === 'host') proposed.RUNCLOUD_FLEET_KEY = fleetKey;
    t.ok(Object.keys(proposed).length > 8);
    t.match(readSettings({ ...own, ...proposed }), { fleet: { role } });
    t.notMatch(deployFile(name), /^[^#\n]/m, 'it sets nothing itself');
    t.match(deployFile(unit), `EnvironmentFile=/etc/runcloud/${name}\n`);
  });

  t.test(`${unit} is one`, { skip: missing('systemd-analyze', '--version') }, async (t) => {
    const text = deployFile(unit);
    const start = '/usr/bin/node server/run.mjs main';
    t.match(text, `ExecStart=${start}\n`);
    // It asks whether the program is there, which Debian's package of Node.js has put elsewhere than others.
    const copy = join(folder.path, unit);
    writeFileSync(copy, text.replace('/usr/bin/node', process.execPath));
    t.match(run('systemd-analyze', ['verify', copy]), { status: 0, said: '' });
    // It tells what is wrong, so that silence means something.
    writeFileSync(copy, text.replace('/usr/bin/node', process.execPath).replace('ProtectSystem=', 'ProtectSystems='));
    t.match(run('systemd-analyze', ['verify', copy]), { said: 'ProtectSystems' });
  });
}

t.test('nats.conf: its users may do what the code says, and nothing else', async (t) => {
  const entries = [...deployFile('nats.conf').matchAll(/^ {2}(\{ user: .*\})$/gm)].map(([, entry = '']) => entry);
  const expected = [edgeUser(), hostUser('host-1', fleetKey)].map((user) =>
    natsEntryOf(user).replace(
      JSON.stringify(user.password),
      `$NATS_${user.user.toUpperCase().replace('-', '_')}_PASSWORD`,
    ),
  );
  t.same(entries, expected);
  const { environment = {} } = composeServices(VALUES).nats ?? {};
  t.same(Object.keys(environment), ['NATS_EDGE_PASSWORD', 'NATS_HOST_1_PASSWORD']);
});

t.test('nats.conf is accepted by the NATS server', { skip: withoutNats() }, async (t) => {
  const check = (file: string, environment: Readonly<Record<string, string>>) =>
    run('nats-server', ['-t', '-c', file], environment);
  const { environment = {} } = composeServices({ ...VALUES, NATS_HOST_1_PASSWORD: '12345' }).nats ?? {};
  t.match(check(`${DEPLOY}/nats.conf`, environment), { status: 0, said: 'is valid' });
  const { NATS_EDGE_PASSWORD: _, ...less } = environment;
  t.match(check(`${DEPLOY}/nats.conf`, less), { status: 1 }, 'not without a password');

  const withTls = deployFile('nats.conf')
    .replace(/^# (tls \{|\}| {2}\w+_file: .*)$/gm, '$1')
    .replace('/etc/nats/tls', join(process.cwd(), TLS))
    .replace('/etc/nats/tls', join(process.cwd(), TLS));
  const copy = join(folder.path, 'nats.conf');
  writeFileSync(copy, withTls);
  t.match(withTls, /^tls \{\n {2}cert_file/m);
  t.match(check(copy, environment), { status: 0, said: 'is valid' }, 'with TLS');
});

t.test('haproxy.cfg is accepted by HAProxy', { skip: missing('haproxy', '-v') }, async (t) => {
  const pem = join(folder.path, 'tls.pem');
  writeFileSync(pem, ['certificate.pem', 'key.pem'].map((name) => readFileSync(join(TLS, name), 'utf8')).join(''));
  const copy = join(folder.path, 'haproxy.cfg');
  writeFileSync(copy, deployFile('haproxy.cfg').replace('/usr/local/etc/haproxy/tls.pem', pem));
  const { environment = {} } = composeServices(VALUES).balancer ?? {};
  t.match(run('haproxy', ['-c', '-f', copy], environment), { status: 0 });
});

t.test('com.runcloud.host.plist starts the service as a host', async (t) => {
  const plist = parsePlist(deployFile('com.runcloud.host.plist')) as Record<string, unknown>;
  const [shell, option, line] = plist.ProgramArguments as string[];
  t.match(plist, { Label: 'com.runcloud.host', KeepAlive: true, RunAtLoad: true, WorkingDirectory: '/opt/runcloud' });
  t.same([shell, option], ['/bin/sh', '-c']);
  t.match(line, /exec node server\/run\.mjs main /);
  t.match(run('/bin/sh', ['-n', '-c', line ?? '']), { status: 0, said: '' });
  const environment = plist.EnvironmentVariables as Record<string, string>;
  const settings = { ...environment, ...proposedSettings('host.env'), RUNCLOUD_FLEET_KEY: fleetKey };
  t.match(readSettings(settings), { fleet: { role: 'host' } });
});

t.test('Dockerfile: what it copies and starts is there', async (t) => {
  const steps = dockerSteps();
  const copied = steps.flatMap((step) => copiesOf(step)?.from ?? []);
  t.ok(copied.length > 8);
  for (const name of copied) t.ok(existsSync(name), name);
  t.same(execOf('CMD'), ['node', 'server/run.mjs', 'main']);
  const users = steps.filter(({ name }) => name === 'USER').map(({ text }) => text);
  t.same(users, ['node'], 'nobody is root');
  // The image's own settings are those of every role.
  const [, dataDir] = /RUNCLOUD_DATA_DIR=(\S+)/.exec(deployFile('Dockerfile')) ?? [];
  t.ok(steps.some(({ name, text }) => name === 'VOLUME' && text === dataDir));
  t.notMatch(deployFile('Dockerfile').replace(/^#.*$/gm, ''), /ENV.*RUNCLOUD_(?!DATA_DIR)/);
  const services = composeServices(VALUES);
  for (const name of ['edge-1', 'edge-2', 'host-1']) t.same(services[name]?.volumes, [`${name}:${dataDir}`]);
});
