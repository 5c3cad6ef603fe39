import './require-node.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { edgeUser, hostUser, type NatsUser } from './fleet/nats-users.ts';
import { fleetKeyOf } from './fleet-key.ts';
import { LocalBalancer } from './local-balancer.ts';
import { LocalNats, steadyPort } from './local-nats.ts';
import { LocalPostgres } from './local-postgres.ts';

/** The command `npm run fleet`: a whole fleet on this machine, to try it. What is killed is started again. */

const HOSTS = {
  'host-1': 'virtual-ios:2,virtual-android:2',
  'host-2': 'virtual-ios@3x:1,virtual-android-fold:1',
} as const;
/** Between the end of a process and its next start: long enough to see that it is gone. */
const RESTART_MS = 2_000;
const LOOK_MS = 100;
const EXIT_FAULT = 1;

const RUN = fileURLToPath(new URL('run.mjs', import.meta.url));
const children = new Set<ChildProcess>();
let isStopping = false;

const say = (line: string) => process.stderr.write(`${line}\n`);

/** Keeps a program running until the command ends. */
function keep(name: string, child: ChildProcess, again: () => Promise<ChildProcess>): void {
  children.add(child);
  say(`  ${name.padEnd(12)} ${`pid ${child.pid}`.padEnd(12)} kill -9 ${child.pid}`);
  child.once('exit', (code, signal) => {
    children.delete(child);
    if (isStopping) return;
    say(`  ${name} has ended (${signal ?? code}); it is started again`);
    setTimeout(() => void startKept(name, again), RESTART_MS);
  });
}

async function startKept(name: string, again: () => Promise<ChildProcess>): Promise<void> {
  if (isStopping) return;
  const child = await again().catch((error: Error) => void say(`  ${name}: ${error.message}`));
  if (!child) return void setTimeout(() => void startKept(name, again), RESTART_MS);
  keep(name, child, again);
  // It has been told to stop meanwhile.
  if (isStopping) child.kill('SIGTERM');
}

/** Keeps a service running. */
async function keepService(name: string, environment: NodeJS.ProcessEnv, isHeard: boolean): Promise<void> {
  const output = isHeard ? 'inherit' : 'ignore';
  await startKept(name, async () =>
    spawn(process.execPath, [RUN, 'main'], { env: environment, stdio: ['ignore', output, output] }),
  );
}

/** Resolves when something listens on the port, or the command ends. */
async function serves(port: number): Promise<void> {
  while (!isStopping) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function stop(folder: string): void {
  if (isStopping) process.exit(EXIT_FAULT);
  isStopping = true;
  const left = [...children];
  for (const child of left) child.kill('SIGTERM');
  // The engines have ended too, and are asked to remove what they have kept.
  void Promise.all(left.map((child) => new Promise((resolve) => child.once('exit', resolve)))).then(async () => {
    rmSync(folder, { recursive: true, force: true });
    await balancer?.close();
    await nats.close();
    await postgres?.close();
    process.exit();
  });
}

if (!LocalNats.isInstalled()) {
  say('npm run fleet needs the NATS server: sudo apt-get install nats-server, or brew install nats-server.');
  process.exit(EXIT_FAULT);
}
const folder = mkdtempSync(join(tmpdir(), 'runcloud-fleet-'));

const edgeDir = join(folder, 'edge-1');
const publicKey = fleetKeyOf(edgeDir);
const edge = edgeUser();
const hosts = Object.entries(HOSTS).map(([name, devices]) => ({ name, devices, user: hostUser(name, publicKey) }));
const nats = await LocalNats.start([edge, ...hosts.map(({ user }) => user)]);
const postgres = LocalPostgres.isInstalled() ? await LocalPostgres.start() : undefined;
if (!postgres) {
  say('PostgreSQL is not installed: this fleet has a single edge. For two: sudo apt-get install postgresql.\n');
}
let balancer: LocalBalancer | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(folder));

/** No setting of this shell's service is meant for these, but for an object store, which all of them use. */
const bare = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^RUNCLOUD_(?!S3_)/.test(name)));
const environmentOf = (user: NatsUser, dataDir: string, more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...bare,
  ...user.environment,
  RUNCLOUD_NATS_URL: nats.urlOf(user),
  RUNCLOUD_DATA_DIR: dataDir,
  RUNCLOUD_LOG: 'warn',
  ...more,
});

say('What runs here, and how to kill it:');
keep('NATS server', nats.process, async () => {
  await nats.start();
  return nats.process;
});
for (const { name, devices, user } of hosts) {
  await keepService(name, environmentOf(user, join(folder, name), { RUNCLOUD_DEVICES: devices }), false);
}
if (postgres) {
  keep('PostgreSQL', postgres.process, async () => {
    await postgres.start();
    return postgres.process;
  });
}
const { RUNCLOUD_PORT = '8787' } = process.env;
if (postgres) {
  const ports = [steadyPort(), steadyPort()];
  balancer = await LocalBalancer.listen(Number(RUNCLOUD_PORT), ports);
  for (const [index, port] of ports.entries()) {
    const environment = environmentOf(edge, join(folder, `edge-${index + 1}`), {
      RUNCLOUD_PORT: String(port),
      RUNCLOUD_PUBLIC_URL: balancer.url,
      RUNCLOUD_DATABASE_URL: postgres.url,
    });
    await keepService(`edge-${index + 1}`, environment, index === 0);
    // The first edge of an empty database makes the account, and says its key.
    await serves(port);
  }
  say(`\n  The address of both edges: ${balancer.url}`);
  if (process.env.RUNCLOUD_S3_URL === undefined)
    say('  They take uploads of apps with an object store: RUNCLOUD_S3_URL and the like.');
} else {
  await keepService('edge-1', environmentOf(edge, edgeDir, { RUNCLOUD_PORT }), true);
}
say('\nCtrl-C ends all of it, and removes what it has kept.');
