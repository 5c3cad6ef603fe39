import { availableParallelism } from 'node:os';
import { withoutNats } from '../support/nats-server.ts';
import { ALONE, APART, AS_FLEET, LONG, LONG_TOGETHER, OVER_WS } from './sets.ts';

/** More than two for each processor, since tests wait for timers much of their time; tap itself would leave one unused. */
export const JOBS = 2 * availableParallelism() + 1;

/** A process that runs one or more files. */
export interface Group {
  /** Names the process where it runs more than one file. */
  readonly name: string;
  readonly files: readonly string[];
  /** The processes of a pool have the same files: each takes the next one that none of them has taken, so that all end at about the same time. */
  readonly pool?: { readonly name: string; readonly filesMax: number };
  readonly isAlone: boolean;
  /** Variables of the environment that its files run with. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * To load tap and the service costs a process two seconds of a processor, so each runs many files. All of a pool are busy to the end,
 * since each takes the next file that none of them has taken.
 */
const GROUP_FILES_MAX = 140;
/** They take long each, and few. */
const OVER_WS_FILES_MAX = 16;
const AS_FLEET_FILES_MAX = 10;
const LONG_FILES_MAX = 10;

/** The processes of a pool, as many as its files need. */
function poolOf(name: string, files: readonly string[], filesMax: number, processesMin = 1): Group[] {
  const processes = Math.min(files.length, Math.max(processesMin, Math.ceil(files.length / filesMax)));
  return Array.from({ length: processes }, (_, part) => ({
    name: `${name}-${part + 1}`,
    // Neighbours go through the rooms in opposite order: where one waits, the other has work for the processor.
    files: part % 2 === 0 ? files : files.toReversed(),
    pool: { name, filesMax },
    isAlone: false,
  }));
}

export function groupsOf(files: readonly string[]): Group[] {
  const isLong = (file: string) => file in LONG_TOGETHER;
  const isApart = (file: string) => file in ALONE || file in LONG || file in APART;
  return [
    ...poolOf(
      'shared',
      files.filter((file) => !isLong(file) && !isApart(file)),
      GROUP_FILES_MAX,
      JOBS,
    ),
    ...poolOf('long', files.filter(isLong), LONG_FILES_MAX),
    ...files.filter(isApart).map((file) => ({ name: file, files: [file], isAlone: file in ALONE })),
  ];
}

/** The files that run once more, over the other socket library. */
export function groupsOverWs(files: readonly string[] = OVER_WS): Group[] {
  const environment = { RUNCLOUD_SOCKETS: 'ws' };
  return poolOf('over-ws', files, OVER_WS_FILES_MAX).map((group) => ({ ...group, environment }));
}

/** The files that run once more, through an edge and a host; none where there is no NATS server. */
export function groupsAsFleet(files: readonly string[] = AS_FLEET): Group[] {
  if (withoutNats()) return [];
  const environment = { TESTED_AS: 'fleet' };
  return poolOf('as-fleet', files, AS_FLEET_FILES_MAX).map((group) => ({ ...group, environment }));
}
