import t from 'tap';
import { account, digest, openStore } from './open-store.ts';

t.test('a waiting program is found by either code; one decision stands; it is exchanged once', async (t) => {
  const { deviceAuthorizations, accounts } = openStore(t);
  accounts.insert(account('acme'));
  const row = {
    digest: digest('a'),
    userCodeDigest: digest('b'),
    clientId: 'cli',
    address: '192.0.2.1',
    holder: '192.0.2.1',
    status: 'pending',
    intervalMs: 5_000,
    createdAtMs: 1,
    expiresAtMs: 10,
  } as const;
  deviceAuthorizations.insert(row);
  t.strictSame(deviceAuthorizations.byCode(digest('a')), row);
  t.strictSame(deviceAuthorizations.byUserCode(digest('b')), row);
  t.throws(() => deviceAuthorizations.insert({ ...row, digest: digest('c') }), { code: 'SQLITE_CONSTRAINT_UNIQUE' });
  t.throws(
    () => deviceAuthorizations.insert({ ...row, digest: digest('c'), userCodeDigest: digest('d'), status: 'approved' }),
    {
      code: 'SQLITE_CONSTRAINT_CHECK',
    },
  );
  t.strictSame([deviceAuthorizations.count(9), deviceAuthorizations.count(10)], [1, 0]);
  t.equal(deviceAuthorizations.decide(digest('b'), 'acc_acme'), true);
  t.equal(deviceAuthorizations.decide(digest('b'), undefined), false);
  deviceAuthorizations.polled(digest('a'), 7, 10_000);
  t.match(deviceAuthorizations.byCode(digest('a')), {
    status: 'approved',
    accountId: 'acc_acme',
    polledAtMs: 7,
    intervalMs: 10_000,
  });
  t.equal(deviceAuthorizations.exchange(digest('a'), 'tok_1'), true);
  t.equal(deviceAuthorizations.exchange(digest('a'), 'tok_2'), false);
  t.match(deviceAuthorizations.byCode(digest('a')), { grantId: 'tok_1' });
  t.equal(deviceAuthorizations.count(9), 0, 'one that was exchanged waits no more');
  deviceAuthorizations.forgetExpired(9);
  t.ok(deviceAuthorizations.byCode(digest('a')));
  deviceAuthorizations.forgetExpired(10);
  t.equal(deviceAuthorizations.byCode(digest('a')), undefined);
});
