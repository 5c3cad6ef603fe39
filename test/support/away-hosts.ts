import type { HostList, SessionRecord } from '@runcloud/protocol';
import { placeIn } from '@runcloud/protocol/terms';
import { placeOf } from '../../server/fleet/subjects.ts';
import { databasePath, openDatabase } from '../../server/store/database.ts';
import type { FleetMember } from './fleet.ts';
import type { RestClient } from './rest-client.ts';
import { until } from './until.ts';

export const nameOf = ({ environment }: Pick<FleetMember, 'environment'>) => environment.RUNCLOUD_HOST_NAME ?? '';
export const isAt = (host: FleetMember, { id }: SessionRecord) => placeOf(nameOf(host)) === placeIn(id);

/** The first column of the first row that is found in the database of a data directory. */
export function look<T>(dataDir: string, query: string, ...parameters: string[]): T | undefined {
  const database = openDatabase(databasePath(dataDir));
  try {
    return database
      .prepare<string[], T>(query)
      .pluck()
      .get(...parameters);
  } finally {
    database.close();
  }
}

/** Waits until a host has told an edge all that it had to tell. */
export const whenTold = (host: Pick<FleetMember, 'dataDir' | 'environment'>, edgeDir: string) =>
  until(() => {
    const newest = look<number>(host.dataDir, `SELECT seq FROM sqlite_sequence WHERE name = 'outbox'`);
    return look(edgeDir, 'SELECT position FROM host_report WHERE place = ?', placeOf(nameOf(host))) === newest;
  }, 'the edge has been told');

const stateOf = async (rest: RestClient, name: string) =>
  (await rest.call<HostList>('GET', '/service/hosts')).body.hosts.find((host) => host.name === name)?.state;

/** Waits until an edge knows that a host is there, or is not. */
export const whenIn = (rest: RestClient, name: string, state: 'here' | 'away') =>
  until(async () => (await stateOf(rest, name)) === state, `the host is ${state}`);
