import { LIMITS } from '../limits.ts';
import { checkInputQuery, InputQuery } from '../queries.ts';
import { CreateSnapshot, checkCreateSnapshot, DeletedSnapshot, SnapshotList, SnapshotRecord } from '../snapshot.ts';
import { byKey, get, jsonBody, LIST_QUERY, post, query, remove } from './parts.ts';
import type { Route } from './route.ts';

const SNAPSHOTS = '/service/snapshots';
const SNAPSHOT = `${SNAPSHOTS}/{snapshotName}` as const;

export const SNAPSHOT_ROUTES = {
  createSnapshot: {
    ...post('/service/{platform}/{sessionId}/snapshots', "Keep the state of a session's device under a name", 'none'),
    description:
      'It is made after the interactions that were accepted before, of the device at rest: fingers, keys and buttons are up, and ' +
      'motions are at their end. A name that the account has already is refused with `snapshot_exists`. A device whose ' +
      '`ready.capabilities` lack `snapshots` answers `unsupported_action`.',
    ...byKey('activeSession'),
    query: query(InputQuery, checkInputQuery),
    action: 'snapshot.create',
    body: jsonBody(CreateSnapshot, checkCreateSnapshot),
    answers: { 201: { description: 'The snapshot, which is on disk', schema: SnapshotRecord } },
  },
  listSnapshots: {
    ...get(SNAPSHOTS, 'List snapshots, newest first'),
    description: `An account has ${LIMITS.snapshotsPerAccount} at most.`,
    ...byKey('account'),
    query: LIST_QUERY,
    answers: { 200: { description: "The account's snapshots", schema: SnapshotList } },
  },
  getSnapshot: {
    ...get(SNAPSHOT, 'Read a snapshot'),
    description: 'What is known of it; a session is started from it with `snapshot` of its creation.',
    ...byKey('account'),
    answers: { 200: { description: 'The snapshot', schema: SnapshotRecord } },
  },
  deleteSnapshot: {
    ...remove(SNAPSHOT, 'Delete a snapshot', 'at once'),
    description: 'Sessions that were started from it go on.',
    ...byKey('account'),
    answers: { 200: { description: 'The snapshot is deleted', schema: DeletedSnapshot } },
  },
} as const satisfies Record<string, Route>;
