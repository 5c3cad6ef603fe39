import { LIMITS, newId } from '@runcloud/protocol/terms';
import t, { type Test } from 'tap';
import { HostRecords } from '../../server/fleet/host-records.ts';
import type { RecordingRow } from '../../server/store/recording-row.ts';
import type { SessionRow } from '../../server/store/session-row.ts';
import { openStore } from '../store/open-store.ts';
import { READY_FILE, recordingRow } from '../store/recording-rows.ts';
import { sessionRow } from '../store/session-rows.ts';
import { WHOLE } from '../support/whole-list.ts';

const PLACE = 'AAAAAA';
const END_MS = 5_000;

function open(t: Test, hasObjectStore = true) {
  const store = openStore(t);
  let nowMs = 1_000;
  const records = new HostRecords(store, { wallMs: () => nowMs }, hasObjectStore);
  const session = (more: Partial<SessionRow>) => {
    const row = sessionRow({ id: newId('ses', PLACE), ...more });
    store.hostSessions.keep(PLACE, [{ kind: 'session', row }], store.hostSessions.position(PLACE) + 1);
    return row;
  };
  const recording = ({ id: sessionId }: SessionRow, more: Partial<RecordingRow> = STORED) => {
    const ready = { status: 'ready', retentionExpiresAtMs: END_MS, ...READY_FILE } as const;
    const row = recordingRow({ id: newId('rec', PLACE), sessionId, ...ready, ...more });
    store.hostSessions.keep(PLACE, [{ kind: 'recording', row, events: [] }], 1);
    return row;
  };
  const at = (ms: number) => {
    nowMs = ms;
  };
  return { store, records, session, recording, at };
}

const STORED = { objectKey: 'recordings/it.mp4' };
const ENDED = { status: 'released', releasedAtMs: 1_500 } as const;

t.test('an edge answers for what has ended, to its own account, where it knows as much as the host', async (t) => {
  const { records, session, recording } = open(t);
  const ended = session(ENDED);
  const live = session({});
  const { id: recordingId } = recording(ended);
  const onDisk = recording(ended, {});
  const asked = { sessionId: ended.id, recordingId };
  for (const name of ['getSession', 'deleteSession', 'listRecordings', 'getRecording', 'downloadRecording'] as const) {
    t.ok(records.canAnswer(name, asked, 'acc_acme'), name);
    t.notOk(records.canAnswer(name, asked, 'acc_other'), `${name} of another account`);
    t.notOk(records.canAnswer(name, { ...asked, sessionId: live.id }, 'acc_acme'), `${name} of a live session`);
    t.notOk(
      records.canAnswer(name, { ...asked, sessionId: newId('ses', PLACE) }, 'acc_acme'),
      `${name} of an unknown one`,
    );
  }
  t.notOk(
    records.canAnswer('downloadRecording', { ...asked, recordingId: onDisk.id }, 'acc_acme'),
    'a file of the host',
  );
  for (const name of ['recordingPoster', 'interact', 'getHistory', 'startRecording'] as const) {
    t.notOk(records.canAnswer(name as 'recordingPoster', asked, 'acc_acme'), name);
  }
});

t.test('a history is answered where it is in an object store that the edge has too', async (t) => {
  const stored = { ...ENDED, history: { byteSize: 7, sha256: 'a'.repeat(64) } };
  for (const hasObjectStore of [true, false]) {
    const { records, session } = open(t, hasObjectStore);
    const { id: sessionId } = session(stored);
    const { id: elsewhere } = session(ENDED);
    for (const name of ['history', 'recordingHistory', 'readInteraction'] as const) {
      t.equal(records.canAnswer(name, { sessionId }, 'acc_acme'), hasObjectStore, name);
      t.notOk(records.canAnswer(name, { sessionId }, 'acc_other'), `${name} of another account`);
      t.notOk(records.canAnswer(name, { sessionId: elsewhere }, 'acc_acme'), `${name} that is not stored`);
    }
  }
});

t.test('a history stays as long as its session, which stays until the object is deleted', async (t) => {
  const { store, records, session, recording } = open(t);
  const history = { byteSize: 7, sha256: 'a'.repeat(64) };
  const recorded = session({ ...ENDED, history });
  recording(recorded);
  const { id, ...row } = session({ ...ENDED, history });
  session(ENDED);
  const { due, deleted, storedOf } = records.histories;
  t.strictSame(storedOf(id), history);
  t.strictSame(due(ENDED.releasedAtMs - 1, 10), []);
  t.strictSame(due(ENDED.releasedAtMs, 10), [{ id }]);
  const purge = () => {
    const kind = store.ended().find(({ name }) => name.startsWith('host_session '));
    for (let place: ReturnType<NonNullable<typeof kind>['step']> = { endedAtMs: 0, number: 0 }; place; )
      place = kind?.step(place, ENDED.releasedAtMs);
    return records.sessions.get('acc_acme', id);
  };
  t.strictSame(purge(), { id, ...row });
  await deleted(id);
  t.equal(storedOf(id), undefined);
  t.strictSame(due(ENDED.releasedAtMs, 10), []);
  t.equal(purge(), undefined);
  t.ok(records.sessions.get('acc_acme', recorded.id));
});

t.test('lists have what ended at hosts that do not answer, and nothing of those that do', async (t) => {
  const { store, records, session } = open(t);
  const first = session({ ...ENDED, createdAtMs: 1 });
  session({ createdAtMs: 2 });
  const second = session({ ...ENDED, createdAtMs: 3, platform: 'android' });
  const third = session({ ...ENDED, status: 'failed', createdAtMs: 4 });
  session({ ...ENDED, createdAtMs: 5, accountId: 'acc_other' });
  const ids = (filter = {}) => records.sessions.list('acc_acme', filter, WHOLE).items.map(({ id }) => id);
  t.strictSame(ids(), [third.id, second.id, first.id]);
  t.strictSame(ids({ platform: 'android' }), [second.id]);
  t.strictSame(ids({ status: 'failed' }), [third.id]);
  t.strictSame(ids({ status: 'active' }), []);
  const { items, more, positions } = records.sessions.list('acc_acme', {}, { limit: 2 });
  t.strictSame([items.length, more], [2, true]);
  const rest = records.sessions.list(
    'acc_acme',
    {},
    { limit: 2, after: positions[1] ?? { createdAtMs: 0, number: 0 } },
  );
  t.strictSame(
    rest.items.map(({ id }) => id),
    [first.id],
  );
  records.placesHere = () => ['BBBBBB'];
  t.equal(ids().length, 3);
  records.placesHere = () => ['BBBBBB', PLACE];
  t.strictSame(ids(), []);
  t.equal(store.hostSessions.position(PLACE), 5);
});

t.test('past its deadline a recording is deleted, whoever was there to do it', async (t) => {
  const { records, session, recording, at } = open(t);
  const ended = session(ENDED);
  const row = recording(ended);
  const { rows, absent, events } = records.recordings;
  const due = () => absent.due(END_MS, 10).map(({ id }) => id);
  t.strictSame(rows.find(ended.id, row.id), row);
  t.equal(rows.find(newId('ses', PLACE), row.id), undefined, 'of another session');
  t.strictSame(rows.list(ended.id, WHOLE).items, [row]);
  t.strictSame(absent.due(END_MS - 1, 10), []);
  at(END_MS);
  t.match(rows.find(ended.id, row.id), { status: 'deleted', deletedAtMs: END_MS });
  t.strictSame(rows.list(ended.id, WHOLE).items, []);
  t.strictSame(due(), [row.id]);
  records.placesHere = () => [PLACE];
  t.strictSame(due(), [], 'its host does it');
  records.placesHere = () => [];
  await absent.deleted(row.id, END_MS + 1);
  t.strictSame(due(), []);
  t.match(rows.get(row.id), { status: 'deleted', deletedAtMs: END_MS + 1 });
  t.match(events.list(row.id), [{ type: 'deleted', status: 'deleted', atMs: END_MS + 1 }]);
});

t.test('the operator ends what a removed host has left, and what was told is forgotten in time', async (t) => {
  const { store, records, session, recording } = open(t);
  const live = session({});
  const ended = session(ENDED);
  recording(ended);
  t.equal(store.hostSessions.endAll('BBBBBB', 'host_removed', 7), 0);
  t.equal(store.hostSessions.endAll(PLACE, 'host_removed', 7), 1);
  t.match(records.sessions.get('acc_acme', live.id), {
    status: 'failed',
    releaseReason: 'host_removed',
    releasedAtMs: 7,
  });
  t.match(records.sessions.get('acc_acme', ended.id), ENDED);
  t.ok(records.canAnswer('getSession', { sessionId: live.id }, 'acc_acme'));

  const kinds = store.ended().filter(({ name }) => name.startsWith('host_'));
  const purge = (nowMs: number) => {
    for (const { step, keptMs } of kinds) {
      for (let place: ReturnType<typeof step> = { endedAtMs: 0, number: 0 }; place; )
        place = step(place, nowMs - keptMs);
    }
  };
  purge(END_MS + LIMITS.recordingRecordKeptMs - 1);
  t.ok(records.sessions.get('acc_acme', ended.id));
  purge(END_MS + Math.max(LIMITS.recordingRecordKeptMs, LIMITS.endedKeptMs) + 1);
  t.equal(records.sessions.get('acc_acme', ended.id), undefined);
  t.equal(records.sessions.get('acc_acme', live.id), undefined);
});
