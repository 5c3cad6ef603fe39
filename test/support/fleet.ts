import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { placeIn } from '@runcloud/protocol/terms';
import { type App, startApp } from '../../server/app.ts';
import { edgeUser, hostUser, type NatsUser } from '../../server/fleet/nats-users.ts';
import { placeOf } from '../../server/fleet/subjects.ts';
import { fleetKeyOf } from '../../server/fleet-key.ts';
import { OF_ROLES, type ServiceRole } from '../../server/fleet-settings.ts';
import type { Clock } from '../../server/flow/clock.ts';
import { LocalBalancer } from '../../server/local-balancer.ts';
import { LocalNats } from '../../server/local-nats.ts';
import { LocalPostgres } from '../../server/local-postgres.ts';
import { createLogger } from '../../server/observe/logger.ts';
import { type Environment, readSettings } from '../../server/settings.ts';
import { RestClient } from './rest-client.ts';
import type { TestServer } from './server.ts';
import { ServiceProcess } from './service-process.ts';

/** A process's part of a fleet: its data directory, and the service while it runs. */
export interface FleetMember {
  readonly dataDir: string;
  readonly environment: Environment;
  app: App;
  /** Ends it, or starts it again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Edges in processes of their own, so that they can be killed. */
export interface KillableFleet extends Omit<TestFleet, 'edge'> {
  readonly edges: readonly ServiceProcess[];
  /** What the first of them was started with, for another one. */
  readonly firstEdge: Pick<FleetMember, 'dataDir' | 'environment'>;
  /** The address of all edges together. */
  readonly url: string;
  readonly rest: RestClient;
  /** What the edges have in common; absent for a single edge. */
  readonly postgres?: LocalPostgres;
  inspect: TestServer['inspect'];
}

export interface TestFleet {
  readonly nats: LocalNats;
  readonly edge: FleetMember;
  readonly hosts: readonly FleetMember[];
  /** The users of the NATS server: the edge's, then the hosts'. */
  readonly users: readonly NatsUser[];
  close(): Promise<void>;
}

/** Variables for the processes of one role. */
export const ofRole = (environment: Environment, role: ServiceRole): Environment =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => OF_ROLES[name.replace('RUNCLOUD_', '')]?.includes(role) ?? true),
  );

/**
 * Moves the first host of a fleet to a process of its own, which can be killed; the fleet ends it.
 * @param more variables, besides its own
 */
export async function killableHost(
  { hosts: [member] }: Pick<TestFleet, 'hosts'>,
  more: Environment = {},
): Promise<{ readonly member: FleetMember; readonly host: ServiceProcess }> {
  if (!member) throw new Error('there is no host');
  await member.stop();
  const host = await ServiceProcess.start({ ...member.environment, ...more });
  member.stop = () => host.kill();
  return { member, host };
}

/**
 * Starts an edge, hosts and the NATS server between them, each service in this process with a data directory of its own.
 * Resolves when the edge knows the hosts.
 * @param environment each process gets what its role takes
 * @param hosts of each host, besides
 * @param outputOf where a member, `edge` or `host-1` and so on, writes its log; by default to standard error
 */
export async function startFleet(
  environment: Environment,
  hosts: readonly Environment[] = [{}],
  clock?: Clock,
  outputOf: (member: string) => { write(line: string): void } | undefined = () => undefined,
): Promise<TestFleet> {
  const folder = mkdtempSync(join(tmpdir(), 'runcloud-fleet-'));
  const edgeDir = join(folder, 'edge');
  const key = fleetKeyOf(edgeDir);
  const names = hosts.map((_, index) => `host-${index + 1}`);
  const users = [edgeUser(), ...names.map((name) => hostUser(name, key))];
  const nats = await LocalNats.start(users);
  const member = async (user: NatsUser, role: ServiceRole, dataDir: string, more: Environment) => {
    const settings: Environment = {
      ...ofRole({ RUNCLOUD_PORT: '0', ...environment, ...more }, role),
      ...user.environment,
      RUNCLOUD_NATS_URL: nats.urlOf(user),
      RUNCLOUD_DATA_DIR: dataDir,
    };
    const open = () => {
      const read = readSettings(settings);
      return startApp(read, createLogger(read.logLevel, outputOf(basename(dataDir))), clock);
    };
    const started: FleetMember = {
      dataDir,
      environment: settings,
      app: await open(),
      stop: () => started.app.close(),
      start: async () => {
        started.app = await open();
      },
    };
    return started;
  };
  /** The hosts, then the edge. */
  const running: FleetMember[] = [];
  const close = async () => {
    for (const each of running.toReversed()) await each.stop();
    await nats.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const [index, own] of hosts.entries()) {
      const user = users[index + 1] as NatsUser;
      running.push(await member(user, 'host', join(folder, `host-${index + 1}`), own));
    }
    const edge = await member(users[0] as NatsUser, 'edge', edgeDir, {});
    running.push(edge);
    await met(edge.app.url, hosts.length, environment.RUNCLOUD_API_KEY ?? '');
    return { nats, edge, hosts: running.slice(0, -1), users, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const MET_MS_MAX = 30_000;

/** Waits until an edge has heard of so many hosts. */
export async function met(url: string, count: number, key: string): Promise<void> {
  const rest = new RestClient(url, key);
  for (const end = Date.now() + MET_MS_MAX; Date.now() < end; ) {
    const { body } = await rest.call<{ hosts?: readonly unknown[] }>('GET', '/service/hosts');
    if ((body.hosts?.length ?? 0) >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the edge has not met ${count} hosts`);
}

/**
 * A fleet whose edges are processes; see `startFleet`. Its hosts are in this process.
 * @param count several edges have a PostgreSQL database in common
 */
export async function startKillableFleet(
  environment: Environment,
  hosts?: readonly Environment[],
  count = 1,
): Promise<KillableFleet> {
  /** The last one first. */
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    return { ...(await openKillableFleet(environment, hosts, count, (closer) => closers.push(closer))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openKillableFleet(
  environment: Environment,
  hosts: readonly Environment[] | undefined,
  count: number,
  own: (closer: () => unknown) => void,
): Promise<Omit<KillableFleet, 'close'>> {
  const postgres = count > 1 ? await LocalPostgres.start() : undefined;
  if (postgres) own(() => postgres.close());
  const fleet = await startFleet({ ...environment, RUNCLOUD_DATABASE_URL: postgres?.url }, hosts);
  own(() => rmSync(join(fleet.edge.dataDir, '..'), { recursive: true, force: true }));
  own(() => fleet.nats.close());
  own(() => Promise.all(fleet.hosts.map((host) => host.stop())));
  await fleet.edge.stop();
  const edges: ServiceProcess[] = [];
  for (let index = 0; index < count; index++) {
    const dataDir = index === 0 ? fleet.edge.dataDir : `${fleet.edge.dataDir}-${index + 1}`;
    const edge = await ServiceProcess.start({ ...fleet.edge.environment, RUNCLOUD_DATA_DIR: dataDir });
    own(() => edge.kill());
    edges.push(edge);
    await met(edge.url, fleet.hosts.length, environment.RUNCLOUD_API_KEY ?? '');
  }
  const ports = edges.map(({ url }) => Number(new URL(url).port));
  const balancer = await LocalBalancer.listen(0, ports);
  own(() => balancer.close());
  const rest = new RestClient(balancer.url, environment.RUNCLOUD_API_KEY ?? '');
  const { body } = await rest.call<{ id: string }>('GET', '/service/account');
  return {
    ...fleet,
    edges,
    firstEdge: fleet.edge,
    url: balancer.url,
    rest,
    ...(postgres && { postgres }),
    inspect: async (platform, sessionId) => {
      const place = placeIn(sessionId);
      const host = fleet.hosts.find(
        ({ environment: { RUNCLOUD_HOST_NAME = '' } }) => placeOf(RUNCLOUD_HOST_NAME) === place,
      );
      if (!host) throw new Error(`no host has made ${sessionId}`);
      return host.app.inspect({ accountId: body.id }, platform, sessionId);
    },
  };
}
