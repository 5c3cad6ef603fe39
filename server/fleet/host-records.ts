import type { RouteName } from '@runcloud/protocol';
import { newId, placeIn } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { ToldRecordings } from '../recording/recording-services.ts';
import type { Params } from '../rest/router.ts';
import type { HostSessionTable } from '../store/host-session-table.ts';
import type { RecordingRow } from '../store/recording-row.ts';
import type { SessionTable } from '../store/session-table.ts';

/** What is read from the session's history. */
const OF_HISTORY: ReadonlySet<RouteName> = new Set<RouteName>(['history', 'recordingHistory', 'readInteraction']);
/** What an edge answers for a host that is away, of a session that has ended. */
const ANSWERED: ReadonlySet<RouteName> = new Set<RouteName>([
  'getSession',
  'deleteSession',
  'listRecordings',
  'getRecording',
  'downloadRecording',
  ...OF_HISTORY,
]);

export interface HostRecordsStore {
  readonly hostSessions: HostSessionTable;
  commit(task: () => void): Promise<void>;
}

const noSessions = (): never => {
  throw new Error('an edge has no sessions of its own');
};

/** Sessions and recordings of the hosts, as they have told of them, in the place of an edge's own. */
export class HostRecords {
  /** The places of the hosts that answer for themselves; filled by what opens the way to them. */
  placesHere: () => readonly string[] = () => [];
  readonly #store: HostRecordsStore;
  readonly #clock: Pick<Clock, 'wallMs'>;
  readonly #hasObjectStore: boolean;

  /** @param hasObjectStore whether this edge reads from the object store of its fleet */
  constructor(store: HostRecordsStore, clock: Pick<Clock, 'wallMs'>, hasObjectStore: boolean) {
    this.#store = store;
    this.#clock = clock;
    this.#hasObjectStore = hasObjectStore;
  }

  /** Whether the edge knows as much as the host does, for a caller of this account. */
  canAnswer(name: RouteName, { sessionId = '', recordingId = '' }: Params, accountId: string): boolean {
    const { hostSessions: table } = this.#store;
    if (!ANSWERED.has(name)) return false;
    const session = table.get(accountId, sessionId);
    if (session?.releasedAtMs === undefined) return false;
    if (OF_HISTORY.has(name)) return session.history !== undefined && this.#hasObjectStore;
    if (name !== 'downloadRecording') return true;
    const row = table.recording(recordingId)?.row;
    // Its file is on the disk of the host.
    return row?.status !== 'ready' || row.objectKey !== undefined;
  }

  readonly sessions: Pick<
    SessionTable,
    'get' | 'list' | 'insert' | 'update' | 'byIdempotencyKey' | 'forgetIdempotencyKey'
  > = {
    get: (accountId, id) => this.#store.hostSessions.get(accountId, id),
    list: (accountId, filter, span) => this.#store.hostSessions.list(accountId, filter, span, this.#placesAway()),
    byIdempotencyKey: () => undefined,
    insert: noSessions,
    update: noSessions,
    forgetIdempotencyKey: noSessions,
  };

  readonly recordings: ToldRecordings = {
    rows: {
      find: (sessionId, id) => {
        const row = this.#recording(id);
        return row?.sessionId === sessionId ? row : undefined;
      },
      get: (id) => this.#recording(id),
      list: (sessionId, span) => this.#store.hostSessions.recordings(sessionId, span, this.#clock.wallMs()),
      byIdempotencyKey: () => undefined,
      active: () => undefined,
    },
    events: { list: (id) => [...(this.#store.hostSessions.recording(id)?.events ?? [])] },
    absent: {
      due: (atMs, countMax) => {
        const here = this.placesHere();
        return this.#store.hostSessions
          .due(atMs, countMax)
          .flatMap(({ row }) => (here.includes(placeIn(row.id)) ? [] : [row]));
      },
      deleted: (id, atMs) => this.#store.commit(() => this.#delete(id, atMs)),
    },
  };

  /** Histories in the object store. Their hosts delete them too: one that has forgotten a session tells nothing of it. */
  readonly histories = {
    storedOf: (sessionId: string) => this.#store.hostSessions.historyOf(sessionId),
    due: (endedByMs: number, countMax: number) => this.#store.hostSessions.historiesDue(endedByMs, countMax),
    deleted: (id: string) => this.#store.commit(() => this.#store.hostSessions.forgetHistory(id)),
  };

  #placesAway(): string[] {
    const here = this.placesHere();
    return this.#store.hostSessions.places().filter((place) => !here.includes(place));
  }

  /** A recording; one whose retention is over is deleted, whether its host has got to it or not. */
  #recording(id: string): RecordingRow | undefined {
    const row = this.#store.hostSessions.recording(id)?.row;
    if (!row || row.status === 'deleted' || row.retentionExpiresAtMs > this.#clock.wallMs()) return row;
    return { ...row, status: 'deleted', deletedAtMs: row.retentionExpiresAtMs };
  }

  #delete(id: string, atMs: number): void {
    const told = this.#store.hostSessions.recording(id);
    if (!told) return;
    const row: RecordingRow = { ...told.row, status: 'deleted', deletedAtMs: atMs };
    const event = { id: newId('evt'), type: 'deleted', atMs, status: 'deleted' } as const;
    this.#store.hostSessions.keepRecording({ row, events: [...told.events, event] });
  }
}
