import { LIMITS } from '@runcloud/protocol/terms';
import t, { type Test } from 'tap';
import { databasePath } from '../../server/store/database.ts';
import type { EndedKind } from '../../server/store/ended-rows.ts';
import { FIRST_PURGE_MS_MAX, PURGE_INTERVAL_MS, Purge, SLICE_MS_MAX } from '../../server/store/purge.ts';
import { Sqlite } from '../../server/store/sqlite.ts';
import { Store } from '../../server/store/store.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { WHOLE } from '../support/whole-list.ts';
import { account, digest, openStore } from './open-store.ts';
import { sessionRow } from './session-rows.ts';

const DAY_MS = 86_400_000;
const KEPT_MS = LIMITS.endedKeptMs;

/** A clock on which every step that is taken costs a time of the test's own. */
class CountedClock extends FakeClock {
  stepMs = 0;
  spentMs = 0;

  override monotonicMs(): number {
    return super.monotonicMs() + this.spentMs;
  }
}

function openPurge(t: Test, store: Store, trusted: () => boolean = () => true) {
  const clock = new CountedClock();
  const slices: { ms: number; steps: number }[] = [];
  let steps = 0;
  const counted: EndedKind[] = store.ended().map((kind) => ({
    ...kind,
    step(after, endedByMs) {
      steps++;
      clock.spentMs += clock.stepMs;
      return kind.step(after, endedByMs);
    },
  }));
  const purge = new Purge({
    kinds: counted,
    whenFree: (task) => {
      const before = [clock.spentMs, steps] as const;
      const done = store.whenFree(task);
      slices.push({ ms: clock.spentMs - before[0], steps: steps - before[1] });
      return done;
    },
    clock,
    trustedMs: () => (trusted() ? clock.wallMs() : undefined),
    random: () => 0.5,
    onFault: (error) => t.fail(String(error)),
  });
  t.teardown(() => purge.close());
  purge.begin();
  return { purge, clock, slices };
}

const count = (store: Store, status: 'released' | 'active') => {
  let found = 0;
  for (let after = {}, more = true; more; ) {
    const page = store.sessions.list('acc_acme', { status }, { limit: 1_000, ...after });
    found += page.items.length;
    ({ more } = page);
    const last = page.positions.at(-1);
    after = last ? { after: last } : {};
  }
  return found;
};

/** Sessions that ended at their times. */
function endSessions(store: Store, ids: readonly string[], releasedAtMs: number): void {
  store.atomically(() => {
    for (const id of ids)
      store.sessions.insert(sessionRow({ id, status: 'released', createdAtMs: releasedAtMs - 9, releasedAtMs }));
  });
}

const names = (prefix: string, length: number) => Array.from({ length }, (_, n) => `${prefix}${n}`);

for (const [what, stepMs, ended] of [
  ['quick', 0.01, 6_000],
  ['ordinary', 0.2, 1_500],
  ['slow', 1.5, 200],
] as const) {
  t.test(`thousands of ended sessions go in slices that hold nobody up, where a step is ${what}`, async (t) => {
    const store = openStore(t);
    store.accounts.insert(account('acme'));
    const nowMs = new FakeClock().wallMs();
    endSessions(store, names('ses_old_', ended), nowMs - KEPT_MS - DAY_MS);
    endSessions(store, names('ses_young_', 20), nowMs - KEPT_MS + DAY_MS);
    store.sessions.insert(sessionRow({ id: 'ses_live', createdAtMs: nowMs - KEPT_MS * 2 }));
    const { clock, slices } = openPurge(t, store);
    clock.stepMs = stepMs;
    t.equal(count(store, 'released'), ended + 20, 'nothing at once');
    await clock.advance(FIRST_PURGE_MS_MAX + 200_000);
    t.equal(count(store, 'released'), 20);
    t.equal(count(store, 'active'), 1);
    t.ok(Math.max(...slices.map(({ ms }) => ms)) < SLICE_MS_MAX);
    if (what === 'quick') t.ok(slices.length < 200, `${slices.length} slices: they grow where there is time`);
    const before = slices.length;
    endSessions(store, ['ses_later'], nowMs - KEPT_MS);
    await clock.advance(PURGE_INTERVAL_MS * 1.2);
    t.ok(slices.length > before);
    t.equal(store.sessions.get('acc_acme', 'ses_later'), undefined, 'and it goes on looking');
  });
}

t.test('a session stays until its last recording is forgotten, and takes its links with it', async (t) => {
  const store = openStore(t);
  store.accounts.insert(account('acme'));
  const { clock } = openPurge(t, store);
  const longAgoMs = clock.wallMs() - KEPT_MS * 2;
  endSessions(store, ['ses_recorded', 'ses_linked', 'ses_plain'], longAgoMs);
  for (let n = 0; n < 100; n++) {
    const link = { id: `lnk_${n}`, role: 'view', createdAtMs: longAgoMs, expiresAtMs: longAgoMs + 1 } as const;
    store.viewerLinks.insert({ ...link, sessionId: 'ses_linked' });
  }
  const row = {
    id: 'rec_1',
    sessionId: 'ses_recorded',
    accountId: 'acc_acme',
    organizationId: 'org_acme',
    platform: 'ios',
    createdAtMs: longAgoMs,
    retentionExpiresAtMs: longAgoMs + 7 * DAY_MS,
    tries: 0,
    recoveries: 0,
  } as const;
  const event = (n: number) => ({ id: `evt_${n}`, type: 'created', atMs: longAgoMs, status: 'starting' }) as const;
  const starting = { ...row, status: 'starting' } as const;
  store.recordings.insert(starting, event(1));
  await clock.advance(FIRST_PURGE_MS_MAX);
  t.ok(store.sessions.get('acc_acme', 'ses_recorded'));
  t.equal(store.sessions.get('acc_acme', 'ses_linked'), undefined);
  t.equal(store.sessions.get('acc_acme', 'ses_plain'), undefined);
  t.equal(store.viewerLinks.isUnrevoked('ses_linked', 'lnk_1'), false);
  const failure = { stage: 'prepare', code: 'storage_error', message: 'No.', retryable: false } as const;
  const failed = store.recordings.update(starting, { status: 'failed', failure }, [event(2)]);
  const deleting = store.recordings.update(failed, { status: 'deleting' }, [event(3)]);
  const deletedAtMs = clock.wallMs() - LIMITS.recordingRecordKeptMs + PURGE_INTERVAL_MS * 2;
  const steps = Array.from({ length: 100 }, (_, n) => event(n + 4));
  store.recordings.update(deleting, { status: 'deleted', deletedAtMs }, steps);
  await clock.advance(PURGE_INTERVAL_MS * 1.2);
  t.ok(store.sessions.get('acc_acme', 'ses_recorded'), 'its record can still be read');
  t.equal(store.recordingEvents.list('rec_1').length, 103);
  await clock.advance(PURGE_INTERVAL_MS * 3);
  t.equal(store.recordings.get('rec_1'), undefined, 'for thirty days');
  t.strictSame(store.recordingEvents.list('rec_1'), []);
  t.equal(store.sessions.get('acc_acme', 'ses_recorded'), undefined);
});

t.test('an idempotency key is free again when its session is forgotten, and usage stays', async (t) => {
  const store = openStore(t);
  store.accounts.insert(account('acme'));
  const { clock } = openPurge(t, store);
  const createdAtMs = clock.wallMs() - KEPT_MS * 2;
  const keyed = { idempotencyKey: 'k', requestDigest: 'd' };
  store.sessions.insert(
    sessionRow({ id: 'ses_1', status: 'released', createdAtMs, releasedAtMs: createdAtMs + 60_000, ...keyed }),
  );
  const forgottenMs = clock.wallMs() - 110 * DAY_MS;
  store.sessions.insert(
    sessionRow({ id: 'ses_2', createdAtMs: forgottenMs, status: 'released', releasedAtMs: forgottenMs }),
  );
  const usage = (days: number) => store.usage.days('acc_acme', clock.wallMs() - days * DAY_MS, clock.wallMs());
  const before = usage(90);
  t.match(before, [{ sessions: 1, sessionMs: 60_000, recordings: 0 }]);
  t.equal(usage(120).length, 2);
  await clock.advance(FIRST_PURGE_MS_MAX);
  t.equal(store.sessions.byIdempotencyKey('acc_acme', 'k'), undefined);
  t.same(usage(120), before, 'for as long as somebody can ask for it');
});

t.test('keys, programs, links and sign-ins go when their time is over, and not before', async (t) => {
  const store = openStore(t);
  store.accounts.insert(account('acme'));
  const { clock } = openPurge(t, store);
  const nowMs = clock.wallMs();
  const key = (id: string, digit: string, more: object = {}) =>
    store.keys.insert({ id, accountId: 'acc_acme', name: id, digest: digest(digit), createdAtMs: 1, ...more });
  key('key_live', '0');
  key('key_revoked', '1');
  key('key_given', '2', { given: true });
  key('key_expired', '3', { expiresAtMs: nowMs - KEPT_MS - 1 });
  key('key_expired_lately', '4', { expiresAtMs: nowMs - DAY_MS });
  key('key_revoked_lately', '5');
  for (const id of ['key_revoked', 'key_given']) store.keys.revoke(id, nowMs - KEPT_MS - 1);
  store.keys.revoke('key_revoked_lately', nowMs - 1);
  const grant = (id: string, expiresAtMs: number) =>
    store.tokens.insertGrant({ id, accountId: 'acc_acme', clientId: 'cli', createdAtMs: 1, expiresAtMs });
  grant('tok_live', nowMs + DAY_MS);
  grant('tok_expired', nowMs - KEPT_MS - 1);
  grant('tok_revoked', nowMs + DAY_MS);
  for (let n = 0; n < 40; n++) {
    const hex = n.toString(16).padStart(2, '0').repeat(32);
    store.tokens.insert({ digest: hex, grantId: 'tok_revoked', kind: 'refresh', expiresAtMs: nowMs + DAY_MS });
  }
  store.tokens.insert({ digest: digest('a'), grantId: 'tok_live', kind: 'access', expiresAtMs: nowMs - 1 });
  store.tokens.insert({ digest: digest('b'), grantId: 'tok_live', kind: 'refresh', expiresAtMs: nowMs + DAY_MS });
  store.tokens.revoke('acc_acme', 'tok_revoked', nowMs - KEPT_MS - 1);
  const ended = { createdAtMs: 1, expiresAtMs: nowMs - 1 };
  store.signIns.insert({ id: 'sgn_1', accountId: 'acc_acme', digest: digest('c'), ...ended });
  store.signIns.insert({
    id: 'sgn_2',
    accountId: 'acc_acme',
    digest: digest('d'),
    createdAtMs: 1,
    expiresAtMs: nowMs + DAY_MS,
  });
  store.oneTimeLinks.insert({ digest: digest('e'), purpose: 'invitation', email: 'a@b.c', ...ended });
  await clock.advance(FIRST_PURGE_MS_MAX);
  const kept = [
    'key_live',
    'key_revoked',
    'key_given',
    'key_expired',
    'key_expired_lately',
    'key_revoked_lately',
  ].filter((id) => store.keys.byId(id));
  t.same(kept, ['key_live', 'key_given', 'key_expired_lately', 'key_revoked_lately']);
  t.equal(store.tokens.revoke('acc_acme', 'tok_revoked', nowMs), 'unknown');
  t.equal(store.tokens.revoke('acc_acme', 'tok_expired', nowMs), 'unknown');
  t.same(
    store.tokens.list('acc_acme', nowMs, WHOLE).items.map(({ id }) => id),
    ['tok_live'],
  );
  t.equal(store.tokens.find(digest('a'), 'access'), undefined);
  t.ok(store.tokens.find(digest('b'), 'refresh'));
  t.equal(store.signIns.find(digest('c'), 0), undefined);
  t.ok(store.signIns.find(digest('d'), nowMs));
  t.equal(store.oneTimeLinks.read(digest('e'), 'invitation', 0), undefined);
});

t.test('a key goes after those that were made with it: none of them is lost sight of', async (t) => {
  const store = openStore(t);
  store.accounts.insert(account('acme'));
  const { clock } = openPurge(t, store);
  const longAgoMs = clock.wallMs() - KEPT_MS - 1;
  const insert = (id: string, digit: string, more: object = {}) =>
    store.keys.insert({ id, accountId: 'acc_acme', name: id, digest: digest(digit), createdAtMs: 1, ...more });
  insert('key_1', '1');
  insert('key_2', '2', { mintedBy: 'key_1' });
  insert('key_3', '3', { mintedBy: 'key_2', expiresAtMs: longAgoMs - 1 });
  insert('key_4', '4', { mintedBy: 'key_3' });
  insert('key_newest', '5');
  store.keys.revoke('key_2', longAgoMs - 1);
  insert('key_newer', '6');
  await clock.advance(FIRST_PURGE_MS_MAX + PURGE_INTERVAL_MS * 1.2);
  t.same(store.keys.mintedWith('acc_acme', 'key_1'), ['key_2', 'key_3', 'key_4']);
  for (const id of ['key_4', 'key_1']) store.keys.revoke(id, longAgoMs);
  insert('key_newest_again', '7');
  await clock.advance(10 * PURGE_INTERVAL_MS);
  t.same(
    store.keys.list('acc_acme').map(({ id }) => id),
    ['key_newest', 'key_newer', 'key_newest_again'],
    'in the end all of them go',
  );
});

t.test('a reader of key changes misses none, although the newest key has been deleted', async (t) => {
  const store = openStore(t);
  store.accounts.insert(account('acme'));
  const { clock } = openPurge(t, store);
  const insert = (id: string, digit: string) =>
    store.keys.insert({ id, accountId: 'acc_acme', name: 'n', digest: digest(digit), createdAtMs: 1 });
  insert('key_1', 'a');
  store.keys.revoke('key_1', 1);
  const seen = store.keys.changedSince(0).at(-1)?.revision ?? 0;
  await clock.advance(FIRST_PURGE_MS_MAX);
  insert('key_2', 'b');
  t.match(store.keys.changedSince(seen), [{ keyId: 'key_2' }]);
  await clock.advance(PURGE_INTERVAL_MS * 1.2);
  t.equal(store.keys.byId('key_1'), undefined, 'and then it goes');
});

t.test('while another process holds the database, it tries less and less often, and then goes on', async (t) => {
  const path = databasePath(t.testdir());
  const store = new Store(path);
  t.teardown(() => store.close());
  store.accounts.insert(account('acme'));
  const { clock, slices } = openPurge(t, store);
  endSessions(store, names('ses_', 50), clock.wallMs() - KEPT_MS * 2);
  const other = new Sqlite(path);
  t.teardown(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  const startMs = performance.now();
  await clock.advance(FIRST_PURGE_MS_MAX + 300_000);
  t.equal(count(store, 'released'), 50);
  t.ok(slices.length > 3 && slices.length < 20, `${slices.length} tries in five minutes`);
  t.ok(slices.every(({ steps }) => steps === 0));
  t.ok(performance.now() - startMs < 2_000, 'none of them waited for the lock as others do');
  other.exec('ROLLBACK');
  await clock.advance(120_000);
  t.equal(count(store, 'released'), 0);
});

t.test('nothing goes by a clock that cannot be trusted', async (t) => {
  const store = openStore(t);
  store.accounts.insert(account('acme'));
  let trusted = false;
  const { clock } = openPurge(t, store, () => trusted);
  endSessions(store, ['ses_1'], clock.wallMs() - KEPT_MS * 2);
  await clock.advance(FIRST_PURGE_MS_MAX + PURGE_INTERVAL_MS * 3);
  t.equal(count(store, 'released'), 1);
  trusted = true;
  await clock.advance(PURGE_INTERVAL_MS * 1.2);
  t.equal(count(store, 'released'), 0);
});
