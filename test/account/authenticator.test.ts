import t from 'tap';
import { Accounts } from '../../server/account/accounts.ts';
import { makeApiKey } from '../../server/account/api-key.ts';
import { ApiKeys } from '../../server/account/api-keys.ts';
import { Authenticator, KEY_POLL_MS, LAST_USE_WRITE_MS } from '../../server/account/authenticator.ts';
import { openTwice } from '../store/open-store.ts';
import { ManualClock } from './manual-clock.ts';

/** A server's authenticator, and the admin command's connection to the same database. */
function open(t: Parameters<typeof openTwice>[0]) {
  const [store, adminStore] = openTwice(t);
  const clock = new ManualClock();
  const errors: unknown[] = [];
  const local = new Accounts(store, clock);
  const admin = new Accounts(adminStore, clock);
  const start = () => new Authenticator({ store, clock, onError: (error) => errors.push(error) });
  return { store, clock, errors, local, admin, start };
}

const bearer = (key: string) => `Bearer ${key}`;

t.test('a live key names its account, its organization and itself', async (t) => {
  const { local, start } = open(t);
  const { account, keyId, key } = local.create('acme');
  local.create('other');
  const principal = start().authenticate(bearer(key));
  t.strictSame(principal, {
    accountId: account.id,
    organizationId: account.organizationId,
    keyId,
    accountName: 'acme',
  });
  t.ok(Object.isFrozen(principal));
});

t.test('the scheme is read in any case and with more than one space', async (t) => {
  const { local, start } = open(t);
  const { key } = local.create('acme');
  const authenticator = start();
  for (const header of [`bearer ${key}`, `BEARER   ${key}`]) t.ok(authenticator.authenticate(header), header);
});

t.test('a header that is absent, malformed or of another scheme is refused', async (t) => {
  const { local, start } = open(t);
  const { key } = local.create('acme');
  const authenticator = start();
  const wrong = ['', key, 'Bearer', 'Bearer ', `Basic ${key}`, `Bearer${key}`, ` Bearer ${key}`, `Bearer ${key} `];
  wrong.push(`Bearer ${key},${key}`, `Bearer ${key}\n`, `Bearer "${key}"`, `Bearer ${'x'.repeat(100_000)}`);
  for (const header of wrong) t.equal(authenticator.authenticate(header), undefined, header.slice(0, 60));
  t.equal(authenticator.authenticate(undefined), undefined);
});

t.test(
  'a key that was accepted before is refused from its revocation on, in whichever way it is written',
  async (t) => {
    const { clock, local, admin, start } = open(t);
    const mine = local.create('acme').key;
    const theirs = local.createKey('acme').key;
    const stays = local.createKey('acme').key;
    const authenticator = start();
    const written = (key: string) => [`Bearer ${key}`, `bearer ${key}`, `Bearer ${key}`];
    for (const key of [mine, theirs, stays]) {
      for (const header of written(key)) t.ok(authenticator.authenticate(header));
    }
    local.revokeKey(mine);
    for (const header of written(mine))
      t.equal(authenticator.authenticate(header), undefined, 'at once in this process');
    admin.revokeKey(theirs);
    clock.advance(KEY_POLL_MS);
    for (const header of written(theirs))
      t.equal(authenticator.authenticate(header), undefined, 'and after another poll');
    for (const header of written(stays)) t.ok(authenticator.authenticate(header));
  },
);

t.test('unknown, mistyped and revoked keys are refused alike', async (t) => {
  const { local, start } = open(t);
  const { key } = local.create('acme');
  const revoked = local.createKey('acme').key;
  local.revokeKey(revoked);
  const authenticator = start();
  const mistyped = (key.at(4) === 'a' ? 'rck_b' : 'rck_a') + key.slice(5);
  for (const wrong of [makeApiKey(), mistyped, revoked, 'x'.repeat(20), key.slice(0, -1), key.toLowerCase()]) {
    t.equal(authenticator.authenticate(bearer(wrong)), undefined);
  }
});

t.test('a mistyped key is refused without asking the database', async (t) => {
  const { store, local, clock } = open(t);
  const { key } = local.create('acme');
  let asked = 0;
  const counting = {
    keys: store.keys,
    dataVersion: () => {
      asked += 1;
      return store.dataVersion();
    },
  };
  const authenticator = new Authenticator({ store: counting, clock });
  const before = asked;
  const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  authenticator.authenticate(bearer(mistyped));
  authenticator.authenticate(bearer(key));
  t.equal(asked, before, 'neither for a mistyped nor for a live key');
  authenticator.authenticate(bearer(makeApiKey()));
  t.equal(asked, before + 1, 'once for an unknown one');
});

t.test('a given key works though it looks made and has a wrong checksum', async (t) => {
  const { local, start } = open(t);
  const given = `rck_${'z'.repeat(38)}`;
  local.ensureGivenKey('local', given);
  const authenticator = start();
  t.equal(authenticator.authenticate(bearer(given))?.accountName, 'local');
  const later = `rck_${'y'.repeat(38)}`;
  local.ensureGivenKey('local', later);
  t.ok(authenticator.authenticate(bearer(later)), 'also when it is given later');
});

t.test('a key that another process makes works at once', async (t) => {
  const { admin, start } = open(t);
  const authenticator = start();
  const { key, account } = admin.create('acme');
  t.equal(authenticator.authenticate(bearer(key))?.accountId, account.id);
});

t.test('a key that another process revokes dies within two seconds, and its listeners are told once', async (t) => {
  const { local, admin, clock, start } = open(t);
  const { key, keyId } = local.create('acme');
  const other = local.createKey('acme');
  const authenticator = start();
  const told: string[] = [];
  authenticator.onRevoked((id) => told.push(id));
  const stop = authenticator.onRevoked((id) => told.push(`gone ${id}`));
  stop();
  t.ok(authenticator.authenticate(bearer(key)));
  admin.revokeKey(keyId);
  t.ok(KEY_POLL_MS <= 2_000);
  clock.advance(KEY_POLL_MS);
  t.strictSame(told, [keyId]);
  t.equal(authenticator.authenticate(bearer(key)), undefined);
  t.ok(authenticator.authenticate(bearer(other.key)), 'its neighbour lives on');
  clock.advance(10 * KEY_POLL_MS);
  t.strictSame(told, [keyId]);
});

t.test('a key that this process revokes dies at the next request', async (t) => {
  const { local, clock, start } = open(t);
  const { key, keyId } = local.create('acme');
  const idle = local.createKey('acme');
  const authenticator = start();
  const told: string[] = [];
  authenticator.onRevoked((id) => told.push(id));
  local.revokeKey(keyId);
  t.equal(authenticator.authenticate(bearer(key)), undefined);
  local.revokeKey(idle.keyId);
  clock.advance(KEY_POLL_MS);
  t.strictSame(told, [keyId, idle.keyId], 'and, without a request, at the next poll');
});

t.test('a failing listener is reported and does not keep the others from hearing', async (t) => {
  const { local, admin, clock, errors, start } = open(t);
  const { keyId } = local.create('acme');
  const authenticator = start();
  const told: string[] = [];
  authenticator.onRevoked(() => {
    throw new Error('listener');
  });
  authenticator.onRevoked((id) => told.push(id));
  admin.revokeKey(keyId);
  clock.advance(KEY_POLL_MS);
  t.strictSame(told, [keyId]);
  t.match(errors, [{ message: 'listener' }]);
});

t.test('the last use is written soon, then at most once a minute, and at the end', async (t) => {
  const { local, store, clock, start } = open(t);
  const { key, keyId } = local.create('acme');
  const authenticator = start();
  const writes: number[] = [];
  const markUsed = store.keys.markUsed.bind(store.keys);
  store.keys.markUsed = (uses) => {
    writes.push(clock.monotonicMs());
    markUsed(uses);
  };
  for (let second = 0; second < 150; second += 1) {
    authenticator.authenticate(bearer(key));
    clock.advance(1_000);
  }
  t.strictSame(writes, [KEY_POLL_MS, KEY_POLL_MS + LAST_USE_WRITE_MS, KEY_POLL_MS + 2 * LAST_USE_WRITE_MS]);
  authenticator.close();
  t.equal(store.keys.byId(keyId)?.lastUsedAtMs, ManualClock.EPOCH_MS + 149_000);
  t.equal(writes.length, 4);
});

t.test('a last use that cannot be written is reported and tried again', async (t) => {
  const { local, store, clock, errors, start } = open(t);
  const { key, keyId } = local.create('acme');
  const authenticator = start();
  const markUsed = store.keys.markUsed.bind(store.keys);
  store.keys.markUsed = () => {
    throw new Error('disk');
  };
  authenticator.authenticate(bearer(key));
  clock.advance(KEY_POLL_MS);
  t.match(errors, [{ message: 'disk' }]);
  store.keys.markUsed = markUsed;
  clock.advance(KEY_POLL_MS);
  t.equal(store.keys.byId(keyId)?.lastUsedAtMs, ManualClock.EPOCH_MS);
});

t.test('after closing nothing is scheduled any more, also when a listener closes', async (t) => {
  const { local, admin, clock, start } = open(t);
  const { keyId } = local.create('acme');
  const first = start();
  t.equal(clock.waiting, 1);
  first.close();
  t.equal(clock.waiting, 0);
  const second = start();
  second.onRevoked(() => second.close());
  admin.revokeKey(keyId);
  clock.advance(KEY_POLL_MS);
  t.equal(clock.waiting, 0);
});

t.test('a flood of unknown keys leaves live keys as they were', async (t) => {
  const { local, start } = open(t);
  const { key } = local.create('acme');
  const authenticator = start();
  for (let n = 0; n < 5_000; n += 1) {
    if (authenticator.authenticate(bearer(makeApiKey()))) t.fail('an unknown key was accepted');
  }
  t.ok(authenticator.authenticate(bearer(key)));
});

t.test('a key that expired under a wrong wall clock is valid again once the clock is right', async (t) => {
  const { store, clock, local, start } = open(t);
  const { account } = local.create('acme');
  const mortal = new ApiKeys(store, clock).create({ accountId: account.id }, { name: 'day', ttlMs: 86_400_000 });
  const authenticator = start();
  const revoked: string[] = [];
  authenticator.onRevoked((keyId) => revoked.push(keyId));
  t.ok(authenticator.authenticate(bearer(mortal.key)));
  clock.jumpWall(2 * 86_400_000);
  t.equal(authenticator.authenticate(bearer(mortal.key)), undefined);
  clock.advance(2 * KEY_POLL_MS);
  t.same(revoked, [mortal.id], 'its sockets are closed, once');
  clock.jumpWall(-2 * 86_400_000);
  t.ok(authenticator.authenticate(bearer(mortal.key)));
  clock.advance(KEY_POLL_MS);
  clock.advance(86_400_000);
  t.equal(authenticator.authenticate(bearer(mortal.key)), undefined);
  t.same(revoked, [mortal.id, mortal.id], 'and when its time has really come, again');
  authenticator.close();
});
