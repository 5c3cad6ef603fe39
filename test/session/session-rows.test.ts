import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { WriteRetryQueue } from '../../server/flow/write-retry-queue.ts';
import { SessionRows } from '../../server/session/session-rows.ts';
import { account, openStore } from '../store/open-store.ts';
import { sessionRow } from '../store/session-rows.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { WHOLE } from '../support/whole-list.ts';

const full = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

/** Rows over a database that can be made to refuse every change. */
function arena(t: { testdir(): string; teardown(task: () => void): void }) {
  const store = openStore(t);
  store.accounts.insert(account('acme'));
  const state = { refusing: false, writes: 0 };
  const refusable = <A extends unknown[], R>(write: (...args: A) => R) => {
    return (...args: A): R => {
      if (state.refusing) throw full();
      state.writes += 1;
      return write(...args);
    };
  };
  const { sessions } = store;
  const clock = new FakeClock();
  const faults: unknown[] = [];
  const onFault = (error: unknown) => void faults.push(error);
  const writes = new WriteRetryQueue({ clock, random: () => 0, onFault });
  const rows = new SessionRows({
    store: {
      get: (accountId, id) => sessions.get(accountId, id),
      byIdempotencyKey: (accountId, key) => sessions.byIdempotencyKey(accountId, key),
      insert: refusable((row) => sessions.insert(row)),
      update: refusable((id, patch) => sessions.update(id, patch)),
      forgetIdempotencyKey: refusable((id) => sessions.forgetIdempotencyKey(id)),
    },
    writes,
    onFault,
  });
  return { rows, writes, sessions, clock, faults, state };
}

t.test(
  'a change of a session whose row cannot be written is reported at once, and written when it can be',
  async (t) => {
    const { rows, sessions, clock, faults, state } = arena(t);
    rows.insert(sessionRow({ id: 's', status: 'starting' }));
    state.refusing = true;
    rows.change('s', { status: 'active' });
    rows.change('s', { orientation: 'landscape_left' });
    rows.end('s', { status: 'released', releaseReason: 'requested', releasedAtMs: 7 });
    t.match(rows.find('acc_acme', 's'), { status: 'released', orientation: 'landscape_left', releasedAtMs: 7 });
    t.equal(rows.find('acc_other', 's'), undefined);
    const behind = sessions.list('acc_acme', {}, WHOLE).items;
    t.match(behind, [{ status: 'starting' }]);
    t.match(
      behind.map((row) => rows.latest(row)),
      [{ status: 'released' }],
      'a list says the same',
    );
    state.refusing = false;
    state.writes = 0;
    await clock.advance(5_000);
    t.match(sessions.get('acc_acme', 's'), { status: 'released', orientation: 'landscape_left', releasedAtMs: 7 });
    t.equal(state.writes, 1, 'in one piece, however much had happened');
    t.equal(rows.live('s'), undefined, 'nothing of it is held any more');
    t.match(faults, [{ code: 'SQLITE_FULL' }], 'the operator was told once');
    t.equal(clock.waiting, 0);
  },
);

t.test(
  'a caller that waits for a row is told in time that it cannot be written, and a repeated call that it is',
  async (t) => {
    const { rows, clock, state } = arena(t);
    rows.insert(sessionRow({ id: 's' }));
    await rows.written('s');
    state.refusing = true;
    rows.end('s', { status: 'released' });
    const waiting = t.rejects(rows.written('s'), { code: 'store_unavailable', retryable: true, retryAfterSeconds: 1 });
    await clock.advance(400);
    await waiting;
    state.refusing = false;
    await rows.written('s');
    t.equal(rows.live('s'), undefined);
  },
);

t.test(
  'the key of a session that never began is not answered while it cannot be freed, and makes another one then',
  async (t) => {
    const { rows, sessions, state } = arena(t);
    rows.insert(sessionRow({ id: 's', status: 'starting', idempotencyKey: 'key', requestDigest: 'd' }));
    state.refusing = true;
    rows.giveUp('s', { status: 'failed' });
    t.throws(() => rows.byIdempotencyKey('acc_acme', 'key'), { code: 'store_unavailable' });
    state.refusing = false;
    t.equal(rows.byIdempotencyKey('acc_acme', 'key'), undefined);
    t.equal(sessions.get('acc_acme', 's')?.status, 'failed');
    rows.insert(sessionRow({ id: 's2', idempotencyKey: 'key', requestDigest: 'd' }));
  },
);

t.test('a fault of ours is told and given up; it holds nobody behind it up', async (t) => {
  const { rows, sessions, faults } = arena(t);
  rows.insert(sessionRow({ id: 's' }));
  rows.insert(sessionRow({ id: 's2' }));
  rows.change('s', { status: 'nonsense' as 'active' });
  rows.end('s2', { status: 'released' });
  await new Promise((resolve) => setImmediate(resolve));
  t.match(faults, [{ code: /SQLITE_CONSTRAINT/ }]);
  t.equal(sessions.get('acc_acme', 's2')?.status, 'released');
});

t.test('at the end of the process what can be written is written, and nothing is tried any more', async (t) => {
  const { rows, writes, sessions, clock, state } = arena(t);
  rows.insert(sessionRow({ id: 's' }));
  state.refusing = true;
  rows.end('s', { status: 'released' });
  state.refusing = false;
  writes.close();
  t.equal(sessions.get('acc_acme', 's')?.status, 'released');
  rows.change('s', { orientation: 'portrait' });
  t.equal(clock.waiting, 0);
});

t.test('a caller that waits for a row when the process ends is told that it is not written', async (t) => {
  const { rows, writes, sessions, state } = arena(t);
  rows.insert(sessionRow({ id: 'waited for', status: 'active' }));
  rows.insert(sessionRow({ id: 'too late', status: 'active' }));
  state.refusing = true;
  rows.end('waited for', { status: 'released' });
  const waiting = t.rejects(rows.written('waited for'), { code: 'store_unavailable', retryable: true });
  writes.close();
  await waiting;
  rows.end('too late', { status: 'released' });
  await t.rejects(rows.written('too late'), { code: 'store_unavailable', retryable: true });
  t.equal(sessions.get('acc_acme', 'waited for')?.status, 'active');
});

t.test('a caller that has waited for another write of the same store does not wait for the row as well', async (t) => {
  const { rows, writes, clock, state } = arena(t);
  rows.insert(sessionRow({ id: 's', status: 'active' }));
  state.refusing = true;
  const recording = writes.writeEventually('recording', () => {
    throw full();
  });
  const first = writes.unlessHeldUp('recording', recording);
  await clock.advance(LIMITS.storeWaitMsMax);
  await first;
  rows.end('s', { status: 'released' });
  await t.rejects(rows.written('s'), { code: 'store_unavailable' });
  writes.close();
  await t.rejects(recording, { code: 'service_draining' });
});
