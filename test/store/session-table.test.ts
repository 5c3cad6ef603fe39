import { SESSION_STATUSES } from '@runcloud/protocol';
import t from 'tap';
import type { Position } from '../../server/flow/page.ts';
import { type EndedKind, FIRST_PLACE } from '../../server/store/ended-rows.ts';
import type { SessionRow } from '../../server/store/session-row.ts';
import { WHOLE } from '../support/whole-list.ts';
import { account, openStore } from './open-store.ts';
import { recordingRow } from './recording-rows.ts';
import { sessionRow } from './session-rows.ts';

const device = { model: 'Virtual Phone', osVersion: '17.5', width: 590, height: 1280, scale: 2, driver: 'virtual' };

const session = (id: string, more: Partial<SessionRow> = {}): SessionRow => ({
  id: `ses_${id}`,
  accountId: 'acc_acme',
  organizationId: 'org_acme',
  platform: 'ios',
  status: 'active',
  deviceId: 'dev_1',
  leaseId: 'lse_1',
  device,
  orientation: 'portrait',
  createdAtMs: 1_000,
  expiresAtMs: 2_000,
  inactivityTimeoutMs: 600_000,
  hardTimeoutMs: 7_200_000,
  installAssets: ['ast_1'],
  embedOrigins: ['https://example.com'],
  labels: { run: '12', __proto__x: 'y' },
  ...more,
});

type Test = Parameters<typeof openStore>[0];

function openSessions(t: Test) {
  const { accounts, sessions } = openStore(t);
  accounts.insert(account('acme'));
  accounts.insert(account('other'));
  return sessions;
}

t.test('a session is read as it was written, with and without its optional fields', async (t) => {
  const sessions = openSessions(t);
  const full = session('2', { idempotencyKey: 'k', requestDigest: 'd', releasedAtMs: 9, releaseReason: 'released' });
  sessions.insert(session('1'));
  sessions.insert(full);
  t.strictSame(sessions.get('acc_acme', 'ses_1'), session('1'));
  t.strictSame(sessions.get('acc_acme', 'ses_2'), full);
});

t.test('another account sees nothing of a session, by whatever look-up', async (t) => {
  const sessions = openSessions(t);
  sessions.insert(session('1', { idempotencyKey: 'k' }));
  t.equal(sessions.get('acc_other', 'ses_1'), undefined);
  t.equal(sessions.byIdempotencyKey('acc_other', 'k'), undefined);
  t.strictSame(sessions.list('acc_other', {}, WHOLE).items, []);
});

t.test('a patch changes what it names and nothing else', async (t) => {
  const sessions = openSessions(t);
  sessions.insert(session('1', { status: 'starting' }));
  sessions.insert(session('2'));
  t.equal(sessions.update('ses_1', { status: 'active', device: { ...device, model: 'Virtual Tablet' } }), true);
  t.equal(sessions.update('ses_1', { orientation: 'landscape_left', expiresAtMs: 5_000 }), true);
  t.equal(sessions.update('ses_1', {}), true);
  t.strictSame(
    sessions.get('acc_acme', 'ses_1'),
    session('1', {
      device: { ...device, model: 'Virtual Tablet' },
      orientation: 'landscape_left',
      expiresAtMs: 5_000,
    }),
  );
  t.strictSame(sessions.get('acc_acme', 'ses_2'), session('2'));
  t.equal(sessions.update('ses_9', { status: 'failed' }), false);
});

t.test('a list is newest first and can be narrowed by platform and status', async (t) => {
  const sessions = openSessions(t);
  sessions.insert(session('old', { createdAtMs: 1 }));
  sessions.insert(session('new', { createdAtMs: 3, platform: 'android' }));
  sessions.insert(session('mid', { createdAtMs: 2, status: 'released' }));
  sessions.insert(session('mid2', { createdAtMs: 2, status: 'released', platform: 'android' }));
  const ids = (filter: Parameters<typeof sessions.list>[1] = {}) =>
    sessions.list('acc_acme', filter, WHOLE).items.map(({ id }) => id.slice(4));
  t.strictSame(ids(), ['new', 'mid2', 'mid', 'old']);
  t.strictSame(ids({ platform: 'ios' }), ['mid', 'old']);
  t.strictSame(ids({ status: 'released' }), ['mid2', 'mid']);
  t.strictSame(ids({ status: 'released', platform: 'ios' }), ['mid']);
  t.strictSame(ids({ status: 'failed' }), []);
});

t.test('a list goes on from page to page, and what is made meanwhile is not in it', async (t) => {
  const sessions = openSessions(t);
  // Every three of them are of the same millisecond.
  for (let n = 1; n <= 10; n += 1) sessions.insert(session(`${n}`, { createdAtMs: Math.ceil(n / 3) }));
  const seen: string[][] = [];
  for (let after: Position | undefined, more = true; more; ) {
    const page = sessions.list('acc_acme', {}, { limit: 4, ...(after && { after }) });
    seen.push(page.items.map(({ id }) => id.slice(4)));
    ({ more } = page);
    after = page.positions.at(-1);
    sessions.insert(session(`later ${seen.length}`, { createdAtMs: 9 }));
  }
  t.strictSame(seen, [
    ['10', '9', '8', '7'],
    ['6', '5', '4', '3'],
    ['2', '1'],
  ]);
});

t.test('an idempotency key is unique within its account only', async (t) => {
  const sessions = openSessions(t);
  sessions.insert(session('1', { idempotencyKey: 'k' }));
  sessions.insert(session('2', { idempotencyKey: 'k', accountId: 'acc_other' }));
  sessions.insert(session('3'));
  sessions.insert(session('4'));
  t.throws(() => sessions.insert(session('5', { idempotencyKey: 'k' })), { code: 'SQLITE_CONSTRAINT_UNIQUE' });
  t.equal(sessions.byIdempotencyKey('acc_acme', 'k')?.id, 'ses_1');
  t.equal(sessions.byIdempotencyKey('acc_other', 'k')?.id, 'ses_2');
  t.equal(sessions.byIdempotencyKey('acc_acme', 'none'), undefined);
});

t.test('unfinished sessions of a killed process become failed, and no others', async (t) => {
  const sessions = openSessions(t);
  for (const status of SESSION_STATUSES) sessions.insert(session(status, { status }));
  t.equal(sessions.endUnfinished('server_stopped', 77), 3);
  for (const status of ['starting', 'active', 'releasing'] as const) {
    t.match(sessions.get('acc_acme', `ses_${status}`), {
      status: 'failed',
      releaseReason: 'server_stopped',
      releasedAtMs: 77,
    });
  }
  for (const status of ['released', 'expired'] as const) {
    t.strictSame(sessions.get('acc_acme', `ses_${status}`), session(status, { status }));
  }
  t.equal(sessions.endUnfinished('server_stopped', 78), 0);
});

t.test(
  'a session that was starting when the process was killed gives its key back; one that began keeps it',
  async (t) => {
    const sessions = openSessions(t);
    const keyed = { idempotencyKey: 'begun', requestDigest: 'd' };
    sessions.insert(session('begun', { status: 'active', ...keyed }));
    sessions.insert(session('starting', { status: 'starting', ...keyed, idempotencyKey: 'starting' }));
    sessions.endUnfinished('server_restarted', 77);
    t.equal(sessions.byIdempotencyKey('acc_acme', 'begun')?.id, 'ses_begun');
    t.equal(sessions.byIdempotencyKey('acc_acme', 'starting'), undefined);
    t.match(sessions.get('acc_acme', 'ses_starting'), { status: 'failed', releaseReason: 'server_restarted' });
    t.doesNotThrow(() => sessions.insert(session('second', { ...keyed, idempotencyKey: 'starting' })));
  },
);

t.test('values outside their sets are refused by the table itself', async (t) => {
  const sessions = openSessions(t);
  const refused = (field: string, value: unknown, code = 'SQLITE_CONSTRAINT_CHECK') =>
    t.throws(() => sessions.insert({ ...session('x'), [field]: value }), { code }, `${field} ${value}`);
  refused('status', 'paused');
  refused('platform', 'web');
  refused('orientation', 'sideways');
  refused('hardTimeoutMs', 0);
  refused('inactivityTimeoutMs', -1);
  refused('device', []);
  refused('installAssets', {});
  refused('embedOrigins', 'x');
  refused('labels', []);
  refused('createdAtMs', 'soon', 'SQLITE_CONSTRAINT_DATATYPE');
  refused('accountId', 'acc_none', 'SQLITE_CONSTRAINT_FOREIGNKEY');
  sessions.insert(session('x'));
  refused('labels', {}, 'SQLITE_CONSTRAINT_PRIMARYKEY');
  t.throws(() => sessions.update('ses_x', { status: 'paused' as 'active' }), { code: 'SQLITE_CONSTRAINT_CHECK' });
});

t.test('the history of each session that has ended is stored once, and stays as long as the session', async (t) => {
  const store = openStore(t);
  store.accounts.insert(account('acme'));
  const outbox = store.openOutbox();
  const history = { byteSize: 7, sha256: 'a'.repeat(64) };
  const released = (id: string, releasedAtMs: number) =>
    store.sessions.insert(sessionRow({ id, status: 'released', releasedAtMs }));
  store.sessions.insert(sessionRow({ id: 'ses_live' }));
  for (const [id, atMs] of [
    ['ses_3', 30],
    ['ses_1', 10],
    ['ses_2', 10],
  ] as const)
    released(id, atMs);
  const waiting = () => {
    const ids: string[] = [];
    let next = store.sessions.historyToStore({ endedAtMs: 0, number: 0 });
    for (; next; next = store.sessions.historyToStore(next)) ids.push(next.id);
    return ids;
  };
  t.strictSame(waiting(), ['ses_1', 'ses_2', 'ses_3']);
  const told = outbox.newest;
  t.ok(store.sessions.setHistory('ses_1', history));
  t.notOk(store.sessions.setHistory('ses_none', history));
  t.strictSame(
    outbox.after(told, 10).map(({ id }) => id),
    ['ses_1'],
    'edges are told',
  );
  t.strictSame(waiting(), ['ses_2', 'ses_3']);
  t.strictSame(store.sessions.byId('ses_1')?.history, history);
  t.equal(store.sessions.byId('ses_2')?.history, undefined);

  const due = (endedByMs: number) => store.sessions.historiesDue(endedByMs, 10).map(({ id }) => id);
  t.strictSame(due(9), []);
  store.recordings.insert(recordingRow({ id: 'rec_1', sessionId: 'ses_1' }), {
    id: 'evt_1',
    type: 'created',
    atMs: 1,
    status: 'starting',
  });
  t.strictSame(due(10), [], 'it has a recording');
  store.sessions.setHistory('ses_2', history);
  t.strictSame(due(10), ['ses_2']);
  const purge = () => {
    const kind = store.ended().find(({ name }) => name.startsWith('session '));
    for (let place: ReturnType<EndedKind['step']> = FIRST_PLACE; place; ) place = kind?.step(place, 10);
    return store.sessions.byId('ses_2') === undefined;
  };
  t.notOk(purge(), 'its object would be left');
  store.sessions.setHistory('ses_2', null);
  t.equal(store.sessions.byId('ses_2')?.history, undefined);
  t.strictSame([due(10), waiting()], [[], ['ses_3']], 'it is not stored again');
  t.ok(purge());
});
