import './require-node.ts';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FLEET_KEY_PURPOSE, GrantSigner } from './fleet/grants.ts';
import { edgeUser, hostUser, type NatsUser, natsConfigOf, SERVER_PLACE } from './fleet/nats-users.ts';
import { databasePath } from './store/database.ts';
import { Store } from './store/store.ts';

/** The command `npm run fleet`: a whole fleet on this machine, to try it. What is killed is started again. */

const HOSTS = {
  'host-1': 'virtual-ios:2,virtual-android:2',
  'host-2': 'virtual-ios@3x:1,virtual-android-fold:1',
} as const;
/** Between the end of a process and its next start: long enough to see that it is gone. */
const RESTART_MS = 2_000;
const EXIT_FAULT = 1;

const RUN = fileURLToPath(new URL('run.mjs', import.meta.url));
const children = new Set<ChildProcess>();
let isStopping = false;

const say = (line: string) => process.stderr.write(`${line}\n`);

/** Keeps a program running until the command ends. */
function keep(
  name: string,
  command: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  isHeard: boolean,
): void {
  const output = isHeard ? 'inherit' : 'ignore';
  const child = spawn(command, args, { env: environment, stdio: ['ignore', output, output] });
  children.add(child);
  say(`  ${name.padEnd(12)} ${`pid ${child.pid}`.padEnd(12)} kill -9 ${child.pid}`);
  child.once('exit', (code, signal) => {
    children.delete(child);
    if (isStopping) return;
    say(`  ${name} has ended (${signal ?? code}); it is started again`);
    setTimeout(() => {
      if (!isStopping) keep(name, command, args, environment, isHeard);
    }, RESTART_MS);
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function stop(folder: string): void {
  if (isStopping) process.exit(EXIT_FAULT);
  isStopping = true;
  const left = [...children];
  for (const child of left) child.kill('SIGTERM');
  void Promise.all(left.map((child) => new Promise((resolve) => child.once('exit', resolve)))).then(() => {
    rmSync(folder, { recursive: true, force: true });
    process.exit();
  });
}

if (spawnSync('nats-server', ['--version'], { stdio: 'ignore' }).error) {
  say('npm run fleet needs the NATS server: sudo apt-get install nats-server, or brew install nats-server.');
  process.exit(EXIT_FAULT);
}
const folder = mkdtempSync(join(tmpdir(), 'runcloud-fleet-'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(folder));

const edgeDir = join(folder, 'edge');
const store = new Store(databasePath(edgeDir));
const { publicKey } = new GrantSigner(store.secrets.get(FLEET_KEY_PURPOSE));
store.close();

const edge = edgeUser();
const hosts = Object.entries(HOSTS).map(([name, devices]) => ({ name, devices, user: hostUser(name, publicKey) }));
const natsPort = await freePort();
const config = join(folder, 'nats.conf');
const users = [edge, ...hosts.map(({ user }) => user)].map((user) => `  ${natsConfigOf(user)}\n`).join('');
writeFileSync(config, `listen: "127.0.0.1:${natsPort}"\nauthorization { users = [\n${users}] }\n`, { mode: 0o600 });

/** No setting of this shell's service is meant for these. */
const bare = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('RUNCLOUD_')));
const environmentOf = ({ environment }: NatsUser, dataDir: string, more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...bare,
  ...environment,
  RUNCLOUD_NATS_URL: (environment.RUNCLOUD_NATS_URL ?? '').replace(SERVER_PLACE, `127.0.0.1:${natsPort}`),
  RUNCLOUD_DATA_DIR: dataDir,
  RUNCLOUD_LOG: 'warn',
  ...more,
});

say('What runs here, and how to kill it:');
keep('NATS server', 'nats-server', ['-c', config], bare, false);
for (const { name, devices, user } of hosts) {
  const environment = environmentOf(user, join(folder, name), { RUNCLOUD_DEVICES: devices });
  keep(name, process.execPath, [RUN, 'main'], environment, false);
}
const { RUNCLOUD_PORT = '8787' } = process.env;
keep('edge', process.execPath, [RUN, 'main'], environmentOf(edge, edgeDir, { RUNCLOUD_PORT }), true);
say('\nCtrl-C ends all of it, and removes what it has kept.');
