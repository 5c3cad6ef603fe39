import { join } from 'node:path';
import { RECORDING_EVENT_TYPES, RECORDING_STATUSES, type RecordingStatus } from '@runcloud/protocol';
import t from 'tap';
import { canTransition } from '../../server/recording/lifecycle.ts';
import { databasePath } from '../../server/store/database.ts';
import type { RecordingEventRow, RecordingRow } from '../../server/store/recording-row.ts';
import { RecordingMoved, type RecordingPatch } from '../../server/store/recording-table.ts';
import { Sqlite } from '../../server/store/sqlite.ts';
import { Store } from '../../server/store/store.ts';
import { account, openStore } from './open-store.ts';
import { READY_FILE, recordingRow } from './recording-rows.ts';
import { sessionRow } from './session-rows.ts';

const FAILURE = { stage: 'verify', code: 'container_invalid', message: 'No.', retryable: false } as const;

let events = 0;
const event = (status: RecordingStatus, more: Partial<RecordingEventRow> = {}): RecordingEventRow => ({
  id: `evt_${++events}`,
  type: 'created',
  atMs: 1,
  status,
  ...more,
});

const recording = (id: string, more: Partial<RecordingRow> = {}) => recordingRow({ id: `rec_${id}`, ...more });

type Test = Parameters<typeof openStore>[0];

function open(t: Test) {
  const store = openStore(t);
  store.accounts.insert(account('acme'));
  for (const id of ['ses_1', 'ses_2']) store.sessions.insert(sessionRow({ id }));
  const { recordings, recordingEvents } = store;
  const insert = (row: RecordingRow) => {
    recordings.insert(row, event('starting'));
    return row;
  };
  const move = (row: RecordingRow, status: RecordingStatus, patch: RecordingPatch = {}) =>
    recordings.update(row, { ...patch, status }, [event(status)]);
  return { store, recordings, recordingEvents, insert, move };
}

/** The status before each status, and the fields that the change requires. */
const INTO: Readonly<Record<RecordingStatus, readonly [from: RecordingStatus | undefined, patch: RecordingPatch]>> = {
  starting: [undefined, {}],
  recording: ['starting', { startedAtMs: 2 }],
  finalizing: ['recording', { tries: 1 }],
  ready: ['finalizing', READY_FILE],
  failed: ['finalizing', { failure: FAILURE }],
  deleting: ['ready', {}],
  deleted: ['deleting', { deletedAtMs: 20 }],
};

function bring(arena: ReturnType<typeof open>, id: string, status: RecordingStatus): RecordingRow {
  const [from, patch] = INTO[status];
  return from === undefined ? arena.insert(recording(id)) : arena.move(bring(arena, id, from), status, patch);
}

t.test('the database permits exactly the moves of the table of states', async (t) => {
  for (const from of RECORDING_STATUSES) {
    for (const to of RECORDING_STATUSES.filter((status) => status !== from)) {
      const arena = open({ testdir: () => join(t.testdir(), `${from}-${to}`), teardown: (task) => t.teardown(task) });
      const row = bring(arena, '1', from);
      const [, patch] = INTO[to];
      const attempt = () => arena.move(row, to, { ...patch, deletedAtMs: to === 'deleted' ? 20 : undefined });
      if (canTransition(row, to)) t.equal(attempt().status, to, `${from} to ${to}`);
      else t.throws(attempt, { code: /^SQLITE_CONSTRAINT/ }, `${from} to ${to}`);
      t.equal(
        arena.recordings.get('rec_1')?.status,
        canTransition(row, to) ? to : from,
        'what is refused changes nothing',
      );
    }
  }
});

t.test('a failed recording is finalized again only while another try is due', async (t) => {
  const arena = open(t);
  const final = bring(arena, '1', 'failed');
  t.throws(() => arena.move(final, 'finalizing'), { code: 'SQLITE_CONSTRAINT_TRIGGER' });
  const due = arena.recordings.update(final, { nextAttemptAtMs: 9 }, []);
  t.equal(arena.move(due, 'finalizing', { nextAttemptAtMs: undefined, tries: 2 }).status, 'finalizing');
});

t.test('no recording begins in the middle, and only the record of a deleted one goes', async (t) => {
  const path = databasePath(t.testdir());
  const store = new Store(path);
  t.teardown(() => store.close());
  store.accounts.insert(account('acme'));
  store.sessions.insert(sessionRow());
  for (const status of RECORDING_STATUSES.filter((one) => one !== 'starting')) {
    const row = recording('x', {
      status,
      ...READY_FILE,
      failure: FAILURE,
      ...(status === 'deleted' && { deletedAtMs: 1 }),
    });
    t.throws(() => store.recordings.insert(row, event(status)), { message: /begins as starting/ }, status);
  }
  store.recordings.insert(recording('1'), event('starting'));
  const raw = new Sqlite(path);
  t.teardown(() => raw.close());
  t.throws(() => raw.exec(`DELETE FROM recording WHERE id = 'rec_1'`), { message: /only the record of a deleted/ });
});

t.test('a recording is read as it was written, with and without its optional fields', async (t) => {
  const { recordings, insert, move } = open(t);
  const plain = insert(recording('1'));
  t.strictSame(recordings.get('rec_1'), plain);
  const full = insert(recording('2', { sessionId: 'ses_2', idempotencyKey: 'k' }));
  const failed = move(full, 'failed', {
    failure: FAILURE,
    nextAttemptAtMs: 4,
    startedAtMs: 3,
    tries: 2,
    recoveries: 1,
  });
  t.strictSame(recordings.get('rec_2'), failed);
  t.strictSame(failed, {
    ...full,
    status: 'failed',
    failure: FAILURE,
    nextAttemptAtMs: 4,
    startedAtMs: 3,
    tries: 2,
    recoveries: 1,
  });
});

t.test('a session has one active recording, also while its first finalization runs', async (t) => {
  const arena = open(t);
  const first = bring(arena, '1', 'finalizing');
  t.throws(() => arena.insert(recording('2')), { code: 'SQLITE_CONSTRAINT_UNIQUE' });
  t.equal(arena.recordings.active('ses_1')?.id, 'rec_1');
  arena.insert(recording('3', { sessionId: 'ses_2' }));
  arena.move(first, 'ready', READY_FILE);
  t.equal(arena.recordings.active('ses_1'), undefined);
  arena.insert(recording('4'));
});

t.test(
  'a later try of an old finalization runs beside the next recording, and keeps a third from starting',
  async (t) => {
    const arena = open(t);
    const failed = arena.move(bring(arena, '1', 'finalizing'), 'failed', { failure: FAILURE, nextAttemptAtMs: 5 });
    const next = arena.insert(recording('2', { createdAtMs: 2_000 }));
    arena.move(failed, 'finalizing', { nextAttemptAtMs: undefined, tries: 2 });
    arena.move(next, 'failed', { failure: FAILURE });
    t.equal(arena.recordings.active('ses_1')?.id, 'rec_1', 'the service asks before it starts');
  },
);

t.test('an idempotency key is unique within its session, for good', async (t) => {
  const arena = open(t);
  const first = arena.insert(recording('1', { idempotencyKey: 'k' }));
  arena.move(first, 'failed', { failure: FAILURE });
  t.throws(() => arena.insert(recording('2', { idempotencyKey: 'k' })), { code: 'SQLITE_CONSTRAINT_UNIQUE' });
  arena.insert(recording('3', { sessionId: 'ses_2', idempotencyKey: 'k' }));
  t.equal(arena.recordings.byIdempotencyKey('ses_1', 'k')?.id, 'rec_1');
  t.equal(arena.recordings.byIdempotencyKey('ses_2', 'k')?.id, 'rec_3');
  t.equal(arena.recordings.byIdempotencyKey('ses_2', 'other'), undefined);
});

t.test('a move and its events are kept together or not at all', async (t) => {
  const { recordings, recordingEvents, insert } = open(t);
  const row = insert(recording('1'));
  const twice = event('recording');
  t.throws(() => recordings.update(row, { status: 'recording' }, [twice, twice]), { code: /^SQLITE_CONSTRAINT/ });
  t.equal(recordings.get('rec_1')?.status, 'starting');
  t.equal(recordingEvents.list('rec_1').length, 1);
});

t.test('a transition from an outdated status is refused, and writes nothing', async (t) => {
  const { recordings, recordingEvents, insert, move } = open(t);
  const row = insert(recording('1'));
  move(row, 'recording', { startedAtMs: 2 });
  t.throws(() => move(row, 'failed', { failure: FAILURE }), RecordingMoved);
  t.equal(recordings.get('rec_1')?.status, 'recording');
  t.equal(recordingEvents.list('rec_1').length, 2);
});

t.test('lists leave out deleted ones and other sessions, newest first, and are bounded', async (t) => {
  const arena = open(t);
  for (const [id, createdAtMs] of [
    ['1', 5],
    ['2', 9],
    ['3', 9],
  ] as const) {
    arena.move(arena.insert(recording(id, { createdAtMs })), 'failed', { failure: FAILURE });
  }
  bring(arena, '4', 'deleted');
  arena.insert(recording('5', { sessionId: 'ses_2' }));
  const ids = (max: number) => arena.recordings.list('ses_1', { limit: max }).items.map(({ id }) => id);
  t.strictSame(ids(100), ['rec_3', 'rec_2', 'rec_1']);
  t.strictSame(ids(2), ['rec_3', 'rec_2']);
  t.equal(arena.recordings.find('ses_2', 'rec_1'), undefined, 'a session does not find what is another’s');
});

t.test('unfinished recordings are found, and those whose retention has ended', async (t) => {
  const arena = open(t);
  const failed = bring(arena, '1', 'failed');
  bring(arena, '2', 'ready');
  bring(arena, '3', 'deleting');
  bring(arena, '4', 'recording');
  t.strictSame(
    arena.recordings
      .unsettled()
      .map(({ id }) => id)
      .sort(),
    ['rec_3', 'rec_4'],
  );
  arena.recordings.update(failed, { nextAttemptAtMs: 1 }, []);
  t.strictSame(
    arena.recordings
      .unsettled()
      .map(({ id }) => id)
      .sort(),
    ['rec_1', 'rec_3', 'rec_4'],
  );
  t.strictSame(arena.recordings.due(4_999, 9), []);
  t.strictSame(
    arena.recordings
      .due(5_000, 9)
      .map(({ id }) => id)
      .sort(),
    ['rec_1', 'rec_2'],
  );
  t.equal(arena.recordings.due(5_000, 1).length, 1);
});

t.test('events come in the order in which they were written', async (t) => {
  const { recordings, recordingEvents, insert } = open(t);
  const row = insert(recording('1'));
  const added = RECORDING_EVENT_TYPES.map((type, index) => event('starting', { type, atMs: 50 - index, detail: type }));
  recordings.update(row, {}, added);
  t.strictSame(recordingEvents.list('rec_1').slice(1), added);
});

t.test('values outside their sets are refused by the table itself', async (t) => {
  const { insert, recordings } = open(t);
  const refused: Partial<RecordingRow>[] = [
    { platform: 'web' as RecordingRow['platform'] },
    { sessionId: 'ses_none' },
    { accountId: 'acc_none' },
    { idempotencyKey: '' },
    { idempotencyKey: 'x'.repeat(201) },
    { byteSize: 0 },
    { sha256: 'abc' },
    { durationMs: -1 },
    { tries: -1 },
    { nextAttemptAtMs: 1 },
    { deletedAtMs: 1 },
  ];
  for (const more of refused) {
    t.throws(() => insert(recording('1', more)), { code: /^SQLITE_CONSTRAINT/ }, JSON.stringify(more));
  }
  const row = insert(recording('1'));
  for (const [patch, added] of [
    [{ status: 'failed' }, []],
    [{}, [event('starting', { type: 'danced' as RecordingEventRow['type'] })]],
  ] as const) {
    t.throws(() => recordings.update(row, patch, added), { code: /^SQLITE_CONSTRAINT/ });
  }
  t.strictSame(recordings.get('rec_1'), row);
});

t.test('the time that retention trusts is kept', async (t) => {
  const { recordings } = open(t);
  t.equal(recordings.clockSeenAtMs(), undefined);
  recordings.setClockSeenAtMs(5);
  recordings.setClockSeenAtMs(7);
  t.equal(recordings.clockSeenAtMs(), 7);
});
