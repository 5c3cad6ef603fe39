import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { AccountError } from '../../server/account/account-error.ts';
import { Accounts } from '../../server/account/accounts.ts';
import { digestOf, hasValidChecksum } from '../../server/account/api-key.ts';
import { type EndedPlace, FIRST_PLACE } from '../../server/store/ended-rows.ts';
import { openStore } from '../store/open-store.ts';
import { ManualClock } from './manual-clock.ts';

const GIVEN = 'chosen-by-the-operator';

function openAccounts(t: Parameters<typeof openStore>[0]) {
  const store = openStore(t);
  const clock = new ManualClock();
  return { store, clock, accounts: new Accounts(store, clock) };
}

const refusal = (reason: AccountError['reason']) => ({ name: 'AccountError', reason });

t.test('a new account has ids of its own and one key, of which only the digest is kept', async (t) => {
  const { accounts, store } = openAccounts(t);
  const { account, keyId, key } = accounts.create('acme');
  t.match(account, { id: /^acc_\w{22}$/, organizationId: /^org_\w{22}$/, name: 'acme' });
  t.match(keyId, /^key_\w{22}$/);
  t.ok(hasValidChecksum(key));
  t.match(store.keys.list(account.id), [{ id: keyId, digest: digestOf(key), createdAtMs: ManualClock.EPOCH_MS }]);
  t.not(accounts.create('other').account.organizationId, account.organizationId);
});

t.test('no file of the data directory holds a key', async (t) => {
  const { accounts } = openAccounts(t);
  const keys = [accounts.create('acme').key, accounts.createKey('acme').key, GIVEN];
  accounts.ensureGivenKey('acme', GIVEN);
  for (const file of readdirSync(t.testdirName)) {
    const content = readFileSync(join(t.testdirName, file), 'latin1');
    for (const key of keys) t.notOk(content.includes(key), file);
  }
});

t.test('a name that breaks the rule is refused', async (t) => {
  const { accounts } = openAccounts(t);
  for (const name of ['', ' ', '-a', '.a', 'a b', 'a\n', 'é', 'a/b', 'x'.repeat(65)]) {
    t.throws(() => accounts.create(name), refusal('invalid'), JSON.stringify(name));
  }
  for (const name of ['a', '0', 'x'.repeat(64), 'team.a_b-c', 'me@example.com', 'a+b', 'toString']) {
    t.equal(accounts.create(name).account.name, name);
  }
});

t.test('a name that is taken is refused, whatever the case, and no key is made for it', async (t) => {
  const { accounts, store } = openAccounts(t);
  accounts.create('acme');
  const before = store.keys.changedSince(0).length;
  t.throws(() => accounts.create('ACME'), refusal('taken'));
  t.equal(store.keys.changedSince(0).length, before);
  t.equal(accounts.list().length, 1);
});

t.test('an account has as many keys as are made for it', async (t) => {
  const { accounts } = openAccounts(t);
  const first = accounts.create('acme');
  const second = accounts.createKey('Acme', 'ci');
  t.strictSame(
    accounts.listKeys('acme').map(({ id, name }) => [id, name]),
    [
      [first.keyId, 'first'],
      [second.keyId, 'ci'],
    ],
  );
  t.throws(() => accounts.createKey('none'), refusal('unknown'));
  t.throws(() => accounts.listKeys('none'), refusal('unknown'));
  for (const name of ['', 'x'.repeat(65), 'a\nb']) t.throws(() => accounts.createKey('acme', name), refusal('invalid'));
});

t.test('a key is revoked by its id or by itself, once', async (t) => {
  const { accounts, clock } = openAccounts(t);
  const first = accounts.create('acme');
  const second = accounts.createKey('acme');
  t.equal(accounts.revokeKey(first.keyId).revokedAtMs, ManualClock.EPOCH_MS);
  clock.advance(10);
  t.equal(accounts.revokeKey(second.key).revokedAtMs, ManualClock.EPOCH_MS + 10);
  t.equal(accounts.revokeKey(first.key).revokedAtMs, ManualClock.EPOCH_MS, 'the first time stands');
});

t.test('an unknown key is refused without being repeated', async (t) => {
  const { accounts } = openAccounts(t);
  const { key } = accounts.create('acme');
  const slip = `${key}x`;
  try {
    accounts.revokeKey(slip);
    t.fail('not refused');
  } catch (error) {
    t.ok(error instanceof AccountError && error.reason === 'unknown');
    t.notMatch(String(error), slip);
  }
});

t.test('a given key becomes the first key of its account, and giving it again changes nothing', async (t) => {
  const { accounts } = openAccounts(t);
  const given = accounts.ensureGivenKey('local', GIVEN);
  t.strictSame(accounts.ensureGivenKey('local', GIVEN), given);
  t.equal(given.revoked, 0);
  t.match(accounts.listKeys('local'), [{ digest: digestOf(GIVEN), name: 'given' }]);
  t.equal(accounts.listKeys('local').length, 1);
});

t.test('another given key takes the place of the one before, and of no other', async (t) => {
  const { accounts } = openAccounts(t);
  accounts.ensureGivenKey('local', GIVEN);
  // Its name does not make it one.
  const own = accounts.createKey('local', 'given');
  const other = accounts.create('acme');
  t.equal(accounts.ensureGivenKey('local', `${GIVEN}-2`).revoked, 1);
  const live = () => [...accounts.listKeys('local'), ...accounts.listKeys('acme')].filter((key) => !key.revokedAtMs);
  t.same(
    live()
      .map(({ digest }) => digest)
      .sort(),
    [own.key, other.key, `${GIVEN}-2`].map(digestOf).sort(),
  );
  t.equal(accounts.ensureGivenKey('local', `${GIVEN}-2`).revoked, 0, 'repeated: nothing more');
  t.throws(() => accounts.ensureGivenKey('local', GIVEN), refusal('revoked'), 'and the former one does not come back');
  accounts.ensureGivenKey('local', own.key);
  t.equal(live().length, 2, 'a key that was made here may be given, too');
});

t.test('a setting that did not change ends no key, whatever that one is called', async (t) => {
  const { accounts, store } = openAccounts(t);
  accounts.ensureGivenKey('local', GIVEN);
  const own = accounts.createKey('local', 'given');
  // So does the migration of a database in which nothing but the name tells.
  store.keys.markGiven(own.keyId);
  t.equal(accounts.ensureGivenKey('local', GIVEN).revoked, 0);
  t.equal(store.keys.byId(own.keyId)?.revokedAtMs, undefined);
});

t.test('a key that was made here and then given stays known once it is revoked', async (t) => {
  for (const isRevokedFirst of [false, true]) {
    const { accounts, store, clock } = openAccounts(t);
    const own = accounts.createKey(accounts.create('local').account.name);
    if (!isRevokedFirst) accounts.ensureGivenKey('local', own.key);
    accounts.revokeKey(own.keyId);
    if (isRevokedFirst) t.throws(() => accounts.ensureGivenKey('local', own.key), refusal('revoked'));
    accounts.createKey('local', 'newer');
    for (const kind of store.ended()) {
      let place: EndedPlace | undefined = FIRST_PLACE;
      while (place) place = kind.step(place, clock.wallMs() + 1);
    }
    t.throws(() => accounts.ensureGivenKey('local', own.key), refusal('revoked'));
  }
});

t.test('a given key that is no key, revoked, or of another account is refused', async (t) => {
  const { accounts } = openAccounts(t);
  accounts.create('acme');
  t.throws(() => accounts.ensureGivenKey('local', 'too short'), refusal('invalid'));
  accounts.ensureGivenKey('acme', GIVEN);
  t.throws(() => accounts.ensureGivenKey('local', GIVEN), refusal('taken'));
  t.strictSame(
    accounts.list().map(({ name }) => name),
    ['acme'],
    'and no account is left behind',
  );
  accounts.revokeKey(GIVEN);
  t.throws(() => accounts.ensureGivenKey('acme', GIVEN), refusal('revoked'));
});

t.test('the local account is made on an empty installation only', async (t) => {
  const { accounts } = openAccounts(t);
  const issued = accounts.ensureLocalAccount();
  t.equal(issued?.account.name, 'local');
  t.ok(hasValidChecksum(issued?.key ?? ''));
  t.equal(accounts.ensureLocalAccount(), undefined);
});

t.test('an installation that has an account gets no local one', async (t) => {
  const { accounts } = openAccounts(t);
  accounts.create('acme');
  t.equal(accounts.ensureLocalAccount(), undefined);
  t.strictSame(
    accounts.list().map(({ name }) => name),
    ['acme'],
  );
});
