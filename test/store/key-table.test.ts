import t from 'tap';
import { account, digest, openStore, openTwice } from './open-store.ts';

const key = (id: string, digit: string) => ({
  id: `key_${id}`,
  accountId: 'acc_acme',
  name: 'ci',
  digest: digest(digit),
  createdAtMs: 5,
});

t.test('a key is found by its id and by its digest, without the columns that hold nothing', async (t) => {
  const { accounts, keys } = openStore(t);
  accounts.insert(account('acme'));
  t.equal(keys.insert(key('1', 'a')), true);
  t.strictSame(keys.byId('key_1'), key('1', 'a'));
  t.strictSame(keys.byDigest(digest('a')), key('1', 'a'));
  t.equal(keys.byId('key_2'), undefined);
  t.equal(keys.byDigest(digest('b')), undefined);
});

t.test('a digest is kept once', async (t) => {
  const { accounts, keys } = openStore(t);
  accounts.insert(account('acme'));
  keys.insert(key('1', 'a'));
  t.equal(keys.insert(key('2', 'a')), false);
  t.equal(keys.list('acc_acme').length, 1);
});

t.test('the first time of revocation stands', async (t) => {
  const { accounts, keys } = openStore(t);
  accounts.insert(account('acme'));
  keys.insert(key('1', 'a'));
  t.equal(keys.revoke('key_1', 7), true);
  t.equal(keys.revoke('key_1', 8), false);
  t.equal(keys.revoke('key_9', 8), false);
  t.equal(keys.byId('key_1')?.revokedAtMs, 7);
});

t.test('changes come in their order, each under its newest number only', async (t) => {
  const { accounts, keys } = openStore(t);
  accounts.insert(account('acme'));
  keys.insert(key('1', 'a'));
  keys.insert(key('2', 'b'));
  const [first, second] = keys.changedSince(0);
  t.match(first, { keyId: 'key_1', revoked: 0, accountName: 'acme', organizationId: 'org_acme' });
  t.strictSame(keys.changedSince(second?.revision ?? 0), []);
  keys.revoke('key_1', 7);
  t.match(keys.changedSince(second?.revision ?? 0), [{ keyId: 'key_1', revoked: 1 }]);
  t.strictSame(
    keys.changedSince(0).map(({ keyId }) => keyId),
    ['key_2', 'key_1'],
  );
});

t.test('the last use only moves forward', async (t) => {
  const { accounts, keys } = openStore(t);
  accounts.insert(account('acme'));
  keys.insert(key('1', 'a'));
  keys.markUsed([
    { keyId: 'key_1', atMs: 50 },
    { keyId: 'key_gone', atMs: 50 },
  ]);
  keys.markUsed([{ keyId: 'key_1', atMs: 40 }]);
  t.equal(keys.byId('key_1')?.lastUsedAtMs, 50);
});

t.test('a key without account, or with a digest that is none, is refused by the table itself', async (t) => {
  const { accounts, keys } = openStore(t);
  accounts.insert(account('acme'));
  t.throws(() => keys.insert({ ...key('1', 'a'), accountId: 'acc_none' }), { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
  t.throws(() => keys.insert({ ...key('1', 'a'), digest: 'short' }), { code: 'SQLITE_CONSTRAINT_CHECK' });
});

t.test('another connection sees the change counter move, and the data version with it', async (t) => {
  const [server, admin] = openTwice(t);
  server.accounts.insert(account('acme'));
  const before = server.dataVersion();
  server.keys.insert(key('1', 'a'));
  t.equal(server.dataVersion(), before, 'not by its own write');
  t.equal(server.keys.localWrites, 1);
  admin.keys.insert(key('2', 'b'));
  t.not(server.dataVersion(), before);
  t.equal(server.keys.localWrites, 1);
  t.equal(server.keys.changedSince(1).length, 1);
});
