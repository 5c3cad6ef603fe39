import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { HostList } from '@runcloud/protocol';
import { parse as parsePlist } from 'plist';
import t from 'tap';
import { steadyPort } from '../../server/local-nats.ts';
import { LocalPostgres } from '../../server/local-postgres.ts';
import { admin } from '../support/admin-command.ts';
import {
  composeServices,
  composeVariables,
  copiesOf,
  deployFile,
  dockerSteps,
  execOf,
} from '../support/deploy-files.ts';
import { withoutNats } from '../support/nats-server.ts';
import { withoutPostgres } from '../support/postgres.ts';
import { RestClient } from '../support/rest-client.ts';
import { S3Server } from '../support/s3/s3-server.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** What the files for operators start does serve. */

const { PATH = '' } = process.env;
const isUp = (url: string) =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
}

/** Does the `COPY` steps of the first stage into an empty folder. Packages are those of this clone, but for the project's own. */
function copyAsImage(folder: string): void {
  for (const copied of dockerSteps().flatMap((step) => copiesOf(step) ?? [])) {
    for (const from of copied.from) {
      const isInto = /(?:\/|^\.\/?)$/.test(copied.to);
      const to = join(folder, copied.to, isInto ? basename(from) : '');
      cpSync(from, to, { recursive: true, filter: (name) => !name.includes('node_modules') });
    }
  }
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, '@runcloud'), { recursive: true });
  for (const name of readdirSync('node_modules')) {
    const isOwn = name === '@runcloud' || name === 'runcloud';
    if (!isOwn) symlinkSync(resolve('node_modules', name), join(packages, name));
  }
  symlinkSync(join(folder, 'protocol'), join(packages, '@runcloud/protocol'));
  for (const room of ['client', 'server']) {
    const own = join(room, 'node_modules');
    if (!existsSync(own)) continue;
    mkdirSync(join(folder, own));
    for (const name of readdirSync(own))
      if (name !== '.cache') symlinkSync(resolve(own, name), join(folder, own, name));
  }
}

t.test('Dockerfile: what it copies is enough to start; its health check tells a service that serves', async (t) => {
  const folder = t.testdir({});
  copyAsImage(folder);
  const prepare = dockerSteps().find(({ name, text }) => name === 'RUN' && text.includes('run.mjs'))?.text ?? '';
  const prepared = spawnSync('/bin/sh', ['-c', prepare], { cwd: folder, env: { PATH }, encoding: 'utf8' });
  t.match(prepared, { status: 0, stdout: /^Usage:/ }, prepared.stderr);
  const index = join(folder, 'server/node_modules/.cache/runcloud/index.json');
  const { mtimeMs } = statSync(index);
  t.equal(statSync(join(folder, 'server/main.ts')).mtimeMs % 1_000, 0);

  const port = String(steadyPort());
  const environment = { PATH, RUNCLOUD_PORT: port, RUNCLOUD_DATA_DIR: join(folder, 'data') };
  const checked = (more = {}) => {
    const [file = '', ...args] = execOf('HEALTHCHECK');
    return spawnSync(file, args, { env: { ...environment, ...more } }).status;
  };
  t.equal(checked(), 1, 'nothing serves yet');
  t.equal(checked({ RUNCLOUD_ROLE: 'host' }), 0, 'of a host nothing can be asked');
  const [file = '', ...args] = execOf('CMD');
  const service = spawn(file, args, { cwd: folder, env: environment, stdio: 'ignore' });
  t.teardown(() => end(service));
  await until(() => isUp(`http://127.0.0.1:${port}`), 'it serves');
  t.equal(checked(), 0);
  t.equal((await fetch(`http://127.0.0.1:${port}/dashboard`)).status, 200, 'the pages are there');
  t.equal(statSync(index).mtimeMs, mtimeMs, 'it has found its code, and compiled nothing');
  await end(service);
  t.equal(service.exitCode, 0, 'it has drained');
});

t.test('Dockerfile: the health check knows TLS', async (t) => {
  const data = temporaryDataDir();
  t.teardown(() => data.remove());
  const tls = { RUNCLOUD_TLS_CERT: 'test/support/tls/certificate.pem', RUNCLOUD_TLS_KEY: 'test/support/tls/key.pem' };
  const service = serverProgram(data.path, tls);
  t.teardown(() => service.signal('SIGKILL'));
  const { port } = new URL(await service.ready());
  const [file = '', ...args] = execOf('HEALTHCHECK');
  const { status } = spawnSync(file, args, { env: { PATH, RUNCLOUD_PORT: port, ...tls } });
  t.equal(status, 0);
});

t.test(
  'the services of compose.yaml, with nats.conf between them, are a fleet; a Mac would join it by the plist',
  { skip: withoutNats() || withoutPostgres() },
  async (t) => {
    const folder = t.testdir({ home: { '.runcloud': {} } });
    const values = {
      ...Object.fromEntries(composeVariables().map(([name]) => [name, `${name.toLowerCase().replaceAll('_', '-')}-1`])),
      FLEET_DOMAIN: 'devices.example.com',
      STORE_DOMAIN: 'store.example.com',
    };
    const postgres = await LocalPostgres.start();
    t.teardown(() => postgres.close());
    const objects = await S3Server.start();
    t.teardown(() => objects.close());
    const services = composeServices(values);
    const environmentOf = (name: string) => services[name]?.environment ?? {};

    const natsPort = steadyPort();
    const config = join(folder, 'nats.conf');
    // The port of its health may be in use here.
    writeFileSync(config, deployFile('nats.conf').replace(/^http: .*$/m, ''));
    const nats = spawn('nats-server', ['-c', config, '-a', '127.0.0.1', '-p', String(natsPort)], {
      env: { PATH, ...environmentOf('nats') },
      stdio: 'ignore',
    });
    t.teardown(() => end(nats));

    /** The names of other services are addresses of this machine. */
    const here = (environment: Readonly<Record<string, string>>) => ({
      ...environment,
      RUNCLOUD_NATS_URL: (environment.RUNCLOUD_NATS_URL ?? '').replace('nats:4222', `127.0.0.1:${natsPort}`),
      ...objects.environment,
    });
    let said = '';
    const edges: string[] = [];
    for (const name of ['edge-1', 'edge-2']) {
      const port = String(steadyPort());
      const environment = {
        PATH,
        ...here(environmentOf(name)),
        RUNCLOUD_PORT: port,
        RUNCLOUD_DATA_DIR: join(folder, name),
        RUNCLOUD_DATABASE_URL: postgres.url,
      };
      const start = () =>
        spawn('node', ['server/run.mjs', 'main'], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
      const edge = start();
      edge.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      t.teardown(() => end(edge));
      edges.push(`http://127.0.0.1:${port}`);
      await until(() => isUp(`http://127.0.0.1:${port}`), `${name} serves: ${said}`);
    }
    const [, key = ''] = /export RUNCLOUD_API_KEY=(\S+)/.exec(said) ?? [];

    // As README.md says: the key that the hosts obey is asked at an edge.
    process.env.RUNCLOUD_DATABASE_URL = postgres.url;
    t.teardown(() => {
      delete process.env.RUNCLOUD_DATABASE_URL;
    });
    const added = await admin(join(folder, 'unused'), 'host', 'add', 'host-1');
    delete process.env.RUNCLOUD_DATABASE_URL;
    const [, fleetKey = ''] = /^RUNCLOUD_FLEET_KEY=(.*)$/m.exec(added.stdout) ?? [];
    const settings = here({ ...environmentOf('host-1'), RUNCLOUD_FLEET_KEY: fleetKey });
    const home = join(folder, 'home');
    const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"\n`);
    writeFileSync(join(home, '.runcloud/host.env'), lines.join(''));
    const plist = parsePlist(deployFile('com.runcloud.host.plist')) as Record<string, unknown>;
    const [shell = '', ...args] = plist.ProgramArguments as string[];
    const role = (plist.EnvironmentVariables as Record<string, string>).RUNCLOUD_ROLE;
    const host = spawn(shell, args, { env: { PATH, HOME: home, RUNCLOUD_ROLE: role }, stdio: 'ignore' });
    t.teardown(() => end(host));
    const log = join(home, '.runcloud/host.log');
    await until(() => existsSync(log) && /serves its fleet/.test(readFileSync(log, 'utf8')), 'the host is there');
    t.ok(existsSync(join(home, '.runcloud/data/runcloud.db')));

    for (const url of edges) {
      const rest = new RestClient(url, key);
      const hosts = async () => (await rest.call<HostList>('GET', '/service/hosts')).body.hosts;
      await until(async () => (await hosts()).some(({ state }) => state === 'here'), 'the edge knows the host');
      const session = await rest.createSession('ios');
      t.match(await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 }), { status: 200 });
    }
  },
);
