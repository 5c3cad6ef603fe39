import { FLEET_KEY } from './fleet/grants.ts';
import type { NatsSettings } from './fleet/nats-bus.ts';
import { HOST_NAME } from './fleet/subjects.ts';
import { SettingsError } from './settings-error.ts';

/** `all`: a service alone. `edge`: where the clients of a fleet connect. `host`: where its sessions are. */
export const ROLES = ['all', 'edge', 'host'] as const;
export type ServiceRole = (typeof ROLES)[number];

/** How this process takes part in a fleet. */
export type FleetSettings =
  | {
      readonly role: 'edge';
      readonly nats: NatsSettings;
      /** `RUNCLOUD_DATABASE_URL`: where the fleet's edges have accounts and uploads in common; absent for a single edge. */
      readonly databaseUrl?: string;
    }
  | {
      readonly role: 'host';
      readonly nats: NatsSettings;
      /** `RUNCLOUD_HOST_NAME`. */
      readonly hostName: string;
      /** `RUNCLOUD_FLEET_KEY`: the edges' public key. */
      readonly fleetKey: string;
    };

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that only some roles take: any other role with one of them does not start. */
export const OF_ROLES: Readonly<Record<string, readonly ServiceRole[]>> = {
  HOST: ['all', 'edge'],
  PORT: ['all', 'edge'],
  SOCKETS: ['all', 'edge'],
  TLS_CERT: ['all', 'edge'],
  TLS_KEY: ['all', 'edge'],
  PUBLIC_URL: ['all', 'edge'],
  API_KEY: ['all', 'edge'],
  DEVICES: ['all', 'host'],
  OPEN_URL: ['all', 'host'],
  RECORDING_MAX: ['all', 'host'],
  ADB_PORT: ['all', 'host'],
  SCRCPY_SERVER: ['all', 'host'],
  SCRCPY_VERSION: ['all', 'host'],
  NATS_URL: ['edge', 'host'],
  NATS_CREDS: ['edge', 'host'],
  DATABASE_URL: ['edge'],
  HOST_NAME: ['host'],
  FLEET_KEY: ['host'],
};

const DATABASE = /^postgres(?:ql)?:\/\/[^\s/]+\/[^\s/?#]+(?:\?[^\s#]*)?$/i;
const NATS_SERVER = /^(?:nats|tls):\/\/[^\s/?#]+$/i;

/** `undefined` for a service alone. Throws a `SettingsError`; no message holds a password. */
export function readFleet(environment: Environment): FleetSettings | undefined {
  const role = readRole(environment.RUNCLOUD_ROLE ?? 'all');
  for (const [name, roles] of Object.entries(OF_ROLES)) {
    if (environment[`RUNCLOUD_${name}`] === undefined || roles.includes(role)) continue;
    throw new SettingsError(
      `RUNCLOUD_${name} is no setting of the role ${role}; allowed: only with RUNCLOUD_ROLE=${roles.join(' or ')}`,
    );
  }
  if (role === 'all') return undefined;
  const nats = readNats(environment);
  if (role === 'edge') {
    const databaseUrl = readDatabaseUrl(environment);
    return { role, nats, ...(databaseUrl !== undefined && { databaseUrl }) };
  }
  const { RUNCLOUD_HOST_NAME: hostName = '', RUNCLOUD_FLEET_KEY: fleetKey = '' } = environment;
  if (!HOST_NAME.test(hostName)) {
    throw new SettingsError('RUNCLOUD_HOST_NAME is absent or cannot be used; allowed: 1 to 32 of a-z, 0-9 and -');
  }
  if (!FLEET_KEY.test(fleetKey)) {
    throw new SettingsError(
      'RUNCLOUD_FLEET_KEY is absent or cannot be used; allowed: the key that "npm run admin -- host add NAME" prints at the edge',
    );
  }
  return { role, nats, hostName, fleetKey };
}

function readRole(value: string): ServiceRole {
  const role = ROLES.find((each) => each === value);
  if (role) return role;
  throw new SettingsError(`RUNCLOUD_ROLE is ${JSON.stringify(value.slice(0, 40))}; allowed: ${ROLES.join(', ')}`);
}

/** Throws a `SettingsError` without the value: it holds a password. */
export function readDatabaseUrl({ RUNCLOUD_DATABASE_URL: url }: Environment): string | undefined {
  if (url === undefined || (DATABASE.test(url) && URL.canParse(url))) return url;
  throw new SettingsError(
    'RUNCLOUD_DATABASE_URL cannot be used; allowed: the address of a PostgreSQL database, as in ' +
      'postgres://user:password@db.example.com:5432/runcloud?sslmode=verify-full',
  );
}

function readNats({ RUNCLOUD_NATS_URL: text, RUNCLOUD_NATS_CREDS: credsPath }: Environment): NatsSettings {
  const wrong = (): never => {
    throw new SettingsError(
      'RUNCLOUD_NATS_URL is absent or cannot be used; allowed: nats:// or tls:// addresses with commas between them, as in ' +
        'nats://user:password@nats.example.com:4222',
    );
  };
  const urls = (text ?? '').split(',').map((each) => each.trim());
  if (!urls.every((url) => NATS_SERVER.test(url) && URL.canParse(url))) wrong();
  const parsed = urls.map((url) => new URL(url));
  // One cluster has one set of users.
  const [first] = parsed;
  if (!first || parsed.some(({ username }) => username !== first.username)) return wrong();
  return {
    servers: parsed.map(({ protocol, host }) => `${protocol}//${host}`),
    ...(first.username !== '' && {
      user: decodeURIComponent(first.username),
      password: decodeURIComponent(first.password),
    }),
    ...(credsPath !== undefined && { credsPath }),
  };
}
