import { randomBase62 } from '@runcloud/protocol/terms';
import { EDGE_PERMISSIONS, HOST_NAME, hostPermissions } from './subjects.ts';

/** A user of the NATS server, and the environment of the process that connects as it. */
export interface NatsUser {
  readonly user: string;
  readonly password: string;
  readonly permissions: { readonly publish: readonly string[]; readonly subscribe: readonly string[] };
  readonly environment: Readonly<Record<string, string>>;
}

const PASSWORD_CHARACTERS = 32;
/** A person puts the server's address in its place. */
const SERVER_PLACE = 'NATS_SERVER:4222';

/** Whether a host can have this name: `edge` is the name of the edges' user. */
export const isHostName = (name: string): boolean => HOST_NAME.test(name) && name !== 'edge';

/** @param fleetKey the edges' public key */
export function hostUser(name: string, fleetKey: string): NatsUser {
  const password = randomBase62(PASSWORD_CHARACTERS);
  return {
    user: name,
    password,
    permissions: hostPermissions(name),
    environment: {
      RUNCLOUD_ROLE: 'host',
      RUNCLOUD_HOST_NAME: name,
      RUNCLOUD_FLEET_KEY: fleetKey,
      RUNCLOUD_NATS_URL: `nats://${name}:${password}@${SERVER_PLACE}`,
    },
  };
}

export function edgeUser(): NatsUser {
  const password = randomBase62(PASSWORD_CHARACTERS);
  return {
    user: 'edge',
    password,
    permissions: EDGE_PERMISSIONS,
    environment: { RUNCLOUD_ROLE: 'edge', RUNCLOUD_NATS_URL: `nats://edge:${password}@${SERVER_PLACE}` },
  };
}

/** An entry of `authorization.users` in the NATS server's configuration. */
export function natsEntryOf({ user, password, permissions: { publish, subscribe } }: NatsUser): string {
  const list = (subjects: readonly string[]) => subjects.map((subject) => JSON.stringify(subject)).join(', ');
  return (
    `{ user: ${JSON.stringify(user)}, password: ${JSON.stringify(password)}, ` +
    `permissions: { publish: [${list(publish)}], subscribe: [${list(subscribe)}] } }`
  );
}

/** What a NATS server with these users has in its configuration. */
export const natsConfigOf = (users: readonly NatsUser[]): string =>
  `authorization { users = [\n${users.map((user) => `  ${natsEntryOf(user)}\n`).join('')}] }\n`;

/** What a process connects to as this user, where the server has this address. */
export const natsUrlOf = ({ environment }: NatsUser, address: string): string =>
  (environment.RUNCLOUD_NATS_URL ?? '').replace(SERVER_PLACE, address);
