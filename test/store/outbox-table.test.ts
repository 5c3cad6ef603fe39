import t from 'tap';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { account, openStore } from './open-store.ts';
import { recordingRow } from './recording-rows.ts';
import { sessionRow } from './session-rows.ts';

const created = { id: 'evt_1', type: 'created', atMs: 1, status: 'starting' } as const;

function open(t: Parameters<typeof openStore>[0]) {
  const store = openStore(t);
  store.accounts.insert(account('acme'));
  return { store, outbox: store.openOutbox() };
}

t.test('each session and recording stands at the place of its last change, once', async (t) => {
  const { store, outbox } = open(t);
  t.equal(outbox.newest, 0);
  store.sessions.insert(sessionRow({ id: 'ses_1' }));
  store.sessions.insert(sessionRow({ id: 'ses_2' }));
  store.recordings.insert(recordingRow({ id: 'rec_1', sessionId: 'ses_1' }), created);
  t.strictSame(
    outbox.after(0, 10).map(({ id }) => id),
    ['ses_1', 'ses_2', 'rec_1'],
  );
  const told = outbox.newest;
  t.strictSame(outbox.after(told, 10), []);
  store.sessions.update('ses_1', { status: 'released', releasedAtMs: 7 });
  t.strictSame(
    outbox.after(0, 10).map(({ kind, id }) => `${kind} ${id}`),
    ['session ses_2', 'recording rec_1', 'session ses_1'],
  );
  t.ok(outbox.newest > told);
  t.strictSame(
    outbox.after(0, 1).map(({ id }) => id),
    ['ses_2'],
    'no more than is asked for',
  );
});

t.test('a change that is taken back is not told', async (t) => {
  const { store, outbox } = open(t);
  t.throws(() =>
    store.atomically(() => {
      store.sessions.insert(sessionRow({ id: 'ses_1' }));
      throw new Error('taken back');
    }),
  );
  t.strictSame(outbox.after(0, 10), []);
});

t.test('what is forgotten leaves no entry, and its position is not given again', async (t) => {
  const { store, outbox } = open(t);
  store.sessions.insert(sessionRow({ id: 'ses_1', status: 'released', releasedAtMs: 1 }));
  const told = outbox.newest;
  const kind = store.ended().find(({ name }) => name.startsWith('session '));
  kind?.step({ endedAtMs: 0, number: 0 }, 2);
  t.equal(store.sessions.byId('ses_1'), undefined, 'it was forgotten');
  t.strictSame(outbox.after(0, 10), []);
  t.equal(outbox.newest, told);
  store.sessions.insert(sessionRow({ id: 'ses_2' }));
  t.ok(outbox.newest > told);
});

t.test('a service that becomes a host tells of all that it has, and of nothing twice', async (t) => {
  const path = databasePath(t.testdir());
  const alone = new Store(path);
  alone.accounts.insert(account('acme'));
  alone.sessions.insert(sessionRow({ id: 'ses_1' }));
  alone.recordings.insert(recordingRow({ id: 'rec_1', sessionId: 'ses_1' }), created);
  alone.close();
  for (let starts = 0; starts < 2; starts++) {
    const host = new Store(path);
    t.strictSame(host.openOutbox().after(0, 10), [
      { position: 1, kind: 'session', id: 'ses_1' },
      { position: 2, kind: 'recording', id: 'rec_1' },
    ]);
    host.close();
  }
});
