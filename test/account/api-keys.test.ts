import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { KEY_POLL_MS } from '../../server/account/authenticator.ts';
import { WHOLE } from '../support/whole-list.ts';
import { openAccounts } from './account-arena.ts';

t.test('a key is shown once, works at once, and is listed newest first', async (t) => {
  const { services, accounts, clock } = openAccounts(t);
  const { account } = accounts.create('acme');
  const who = { accountId: account.id };
  clock.advance(1);
  const made = services.keys.create(who, { name: 'ci' });
  t.match(services.authenticate(`Bearer ${made.key}`), { accountId: account.id, keyId: made.id });
  const list = services.keys.list(who, WHOLE).items;
  t.match(list, [{ id: made.id, name: 'ci' }, { name: 'first' }]);
  t.notMatch(JSON.stringify(list), /rck_/);
});

t.test('a key that expires is refused from then on, and its sockets are closed', async (t) => {
  const { services, accounts, authenticator, clock } = openAccounts(t);
  const who = { accountId: accounts.create('acme').account.id };
  const { key, id, expiresAt } = services.keys.create(who, { name: 'short', ttlMs: 60_000 });
  t.equal(Date.parse(expiresAt ?? ''), clock.wallMs() + 60_000);
  const told: string[] = [];
  authenticator.onRevoked((keyId) => told.push(keyId));
  clock.advance(59_999);
  t.match(services.authenticate(`Bearer ${key}`), { keyId: id });
  clock.advance(1);
  t.equal(services.authenticate(`Bearer ${key}`), undefined);
  clock.advance(KEY_POLL_MS);
  t.strictSame(told, [id]);
  t.match(services.keys.list(who, WHOLE).items, [{ id, expiresAt }, {}], 'it is listed until it is revoked');
  clock.advance(10 * KEY_POLL_MS);
  t.strictSame(told, [id], 'told once');
});

t.test('the owner revokes a key, repeated the same; to anybody else it does not exist', async (t) => {
  const { services, accounts } = openAccounts(t);
  const who = { accountId: accounts.create('acme').account.id };
  const other = { accountId: accounts.create('other').account.id };
  const { id, key } = services.keys.create(who, { name: 'ci' });
  t.throws(() => services.keys.revoke(other, id), { code: 'key_not_found' });
  t.throws(() => services.keys.revoke(who, 'key_0123456789ABCDEFGHIJKL'), { code: 'key_not_found' });
  t.ok(services.authenticate(`Bearer ${key}`));
  services.keys.revoke(who, id);
  services.keys.revoke(who, id);
  t.equal(services.authenticate(`Bearer ${key}`), undefined);
  t.notMatch(services.keys.list(who, WHOLE).items, [{ id }]);
});

t.test('an account has as many keys as anybody can oversee', async (t) => {
  const { services, accounts } = openAccounts(t);
  const who = { accountId: accounts.create('acme').account.id };
  for (let n = 1; n < LIMITS.keysPerAccount; n++) services.keys.create(who, { name: `key ${n}` });
  t.throws(() => services.keys.create(who, { name: 'one more' }), { code: 'rate_limited' });
  services.keys.revoke(who, services.keys.list(who, WHOLE).items[0]?.id ?? '');
  t.ok(services.keys.create(who, { name: 'one more' }));
});

t.test('a key knows what it was made with, and those that were made with it can go with it', async (t) => {
  const { services, accounts, authenticator } = openAccounts(t);
  const first = accounts.create('acme');
  const who = { accountId: first.account.id };
  const make = (keyId: string, name: string) => services.keys.create({ ...who, keyId }, { name });
  const leaked = make(first.keyId, 'leaked');
  const child = make(leaked.id, 'child');
  const grandchild = make(child.id, 'grandchild');
  const aside = make(first.keyId, 'aside');
  t.equal(child.mintedBy, leaked.id);
  t.match(
    services.keys.list(who, WHOLE).items.map(({ mintedBy }) => mintedBy),
    [first.keyId, child.id, leaked.id, first.keyId, undefined],
  );
  // A link in the middle that was revoked before hides nothing behind it.
  t.same(services.keys.revoke(who, child.id), []);
  t.same(services.keys.revoke(who, leaked.id, true), [grandchild.id]);
  const live = (key: string) => authenticator.authenticate(`Bearer ${key}`) !== undefined;
  t.same(
    [leaked, child, grandchild, aside, first].map(({ key }) => live(key)),
    [false, false, false, true, true],
  );
  t.same(services.keys.revoke(who, leaked.id, true), [], 'repeated: nothing more');
});

t.test('a key goes together with what was made with it, or stays with all of that', async (t) => {
  const { services, accounts, store } = openAccounts(t);
  const first = accounts.create('acme');
  const who = { accountId: first.account.id };
  const leaked = services.keys.create({ ...who, keyId: first.keyId }, { name: 'leaked' });
  const child = services.keys.create({ ...who, keyId: leaked.id }, { name: 'child' });
  const { revoke } = store.keys;
  store.keys.revoke = (id, atMs) => {
    if (id === child.id) throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
    return revoke.call(store.keys, id, atMs);
  };
  t.throws(() => services.keys.revoke(who, leaked.id, true), { code: 'SQLITE_BUSY' });
  t.match(services.keys.list(who, WHOLE).items, [{ id: child.id }, { id: leaked.id }, { id: first.keyId }]);
  store.keys.revoke = revoke;
  t.same(services.keys.revoke(who, leaked.id, true), [child.id]);
  t.match(services.keys.list(who, WHOLE).items, [{ id: first.keyId }]);
});

t.test(
  'the revocation of a key can include the programs that were approved with it, and what these created',
  async (t) => {
    const { services, accounts, authenticator, revoked } = openAccounts(t);
    const { devices, tokens } = services;
    const first = accounts.create('acme');
    const who = { accountId: first.account.id };
    const leaked = services.keys.create({ ...who, keyId: first.keyId }, { name: 'leaked' });
    const letIn = (keyId: string) => {
      const { deviceCode, userCode } = devices.begin('runcloud-cli', undefined, { address: 'a', holder: 'a' });
      devices.decide({ ...who, keyId }, userCode, true);
      return { deviceCode, poll: () => devices.poll(deviceCode, 'runcloud-cli') };
    };
    const program = letIn(leaked.id).poll();
    const made = services.keys.create(
      { ...who, keyId: program.grantId, kind: 'token' },
      { name: 'made by the program' },
    );
    const behind = letIn(made.id).poll();
    const waiting = letIn(leaked.id);
    const aside = letIn(first.keyId).poll();
    t.same(services.keys.revoke(who, leaked.id, true), [made.id, program.grantId, behind.grantId]);
    t.same(revoked, [program.grantId, behind.grantId], 'their sockets are closed');
    const opens = (secret: string) => services.authenticate(`Bearer ${secret}`) !== undefined;
    t.same([leaked.key, program.accessToken, made.key, behind.accessToken, aside.accessToken, first.key].map(opens), [
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
    t.throws(() => tokens.refresh(program.refreshToken, 'runcloud-cli'), { code: 'invalid_grant' });
    t.throws(waiting.poll, { code: 'invalid_grant' }, 'one that had not come for its tokens');
    t.same(services.keys.revoke(who, leaked.id, true), [], 'repeated');
    authenticator.close();
  },
);
