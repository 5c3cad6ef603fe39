import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Content } from '../../server/store/row-changes.ts';
import { Store } from '../../server/store/store.ts';

function open(t: Test) {
  const store = new Store(join(t.testdir({}), 'runcloud.db'));
  const changes = store.openChanges();
  t.teardown(() => {
    changes.close();
    store.close();
  });
  return { store, changes };
}

const account = (id: string): { table: string; key: string; content: Content } => ({
  table: 'account',
  key: id,
  content: { id, organization_id: `org_${id}`, name: id, created_at_ms: 1, epoch: 0 },
});
const password = (id: string, email: string): { table: string; key: string; content: Content } => ({
  table: 'password',
  key: id,
  content: { account_id: id, email, hash: 'x'.repeat(60), changed_at_ms: 1 },
});
const key = (id: string, revokedAtMs: number | null = null): { table: string; key: string; content: Content } => ({
  table: 'api_key',
  key: id,
  content: {
    id,
    account_id: 'one',
    name: id,
    digest: id.padEnd(64, '0'),
    created_at_ms: 1,
    revoked_at_ms: revokedAtMs,
    last_used_at_ms: null,
    expires_at_ms: null,
    given: 0,
    minted_by: null,
  },
});

t.test('what is written is told by its first and last content, and can be taken back', async (t) => {
  const { store, changes } = open(t);
  changes.apply([account('one'), key('key_1')]);
  t.same(changes.take(), [], 'what others have written is no change');
  store.keys.revoke('key_1', 7);
  store.keys.markUsed([{ keyId: 'key_1', atMs: 9 }]);
  store.secrets.get('purpose');
  t.equal(changes.isAny, true);
  t.equal(changes.touch([{ table: 'api_key', key: 'key_1' }]), true);
  t.equal(changes.touch([{ table: 'account', key: 'one' }]), false);
  const taken = changes.take();
  t.match(taken, [
    { table: 'api_key', before: { revoked_at_ms: null }, after: { revoked_at_ms: 7, last_used_at_ms: 9 } },
    { table: 'secret', before: null, after: { value: /^[0-9A-F]{64}$/ } },
  ]);
  t.equal(changes.isAny, false);
  changes.undo(taken);
  t.equal(store.keys.byId('key_1')?.revokedAtMs, undefined);
  t.same(
    changes.all().map(({ table }) => table),
    ['account', 'api_key'],
    'the secret has gone',
  );
  t.equal(store.keys.restarts, 1, 'who follows the keys begins anew');
});

t.test('a row that is only held stands among the changes', async (t) => {
  const { store, changes } = open(t);
  changes.apply([account('one'), key('key_1'), key('key_2', 5)]);
  t.equal(store.keys.holdLive('key_1'), true);
  t.equal(store.keys.holdLive('key_2'), false, 'not one that is revoked');
  const [held, ...rest] = changes.take();
  t.same(rest, []);
  t.strictSame(held?.before, held?.after);
});

t.test('rows come in any order: before what they refer to, and with what another one still has', async (t) => {
  const { store, changes } = open(t);
  changes.apply([password('one', 'a@example.com'), account('two'), account('one')]);
  changes.apply([password('two', 'A@example.com'), password('one', 'b@example.com')]);
  t.equal(store.passwords.byEmail('a@example.com')?.accountId, 'two');
  t.equal(store.passwords.byEmail('b@example.com')?.accountId, 'one');
  t.throws(() => changes.apply([password('nobody', 'c@example.com')]), /FOREIGN KEY/);
});

t.test('each key that is made or revoked takes the next number here', async (t) => {
  const { store, changes } = open(t);
  changes.apply([account('one'), key('key_1'), key('key_2')]);
  t.same(
    store.keys.changedSince(0).map(({ keyId }) => keyId),
    ['key_1', 'key_2'],
  );
  changes.apply([key('key_1', 5), { ...key('key_2'), content: { ...key('key_2').content, last_used_at_ms: 8 } }]);
  t.same(
    store.keys.changedSince(2).map(({ keyId, revoked }) => [keyId, revoked]),
    [['key_1', 1]],
    'not one that is used',
  );
});

t.test('what is not among those that are kept is deleted; whose copy it is stays known', async (t) => {
  const { store, changes } = open(t);
  changes.apply([account('one'), account('two'), password('one', 'a@example.com')]);
  changes.keepOnly([account('two')]);
  t.same(
    store.accounts.list().map(({ id }) => id),
    ['two'],
  );
  t.equal(changes.origin, undefined);
  changes.origin = 'first';
  changes.origin = 'second';
  t.equal(changes.origin, 'second');
});
