import t from 'tap';
import { account, digest, openStore } from './open-store.ts';

t.test('a sign-in is found up to its end; ending the others spares the one that is named', async (t) => {
  const { accounts, signIns } = openStore(t);
  accounts.insert(account('acme'));
  accounts.insert(account('other'));
  const row = (id: string, digit: string, name = 'acme') => ({
    id,
    accountId: `acc_${name}`,
    digest: digest(digit),
    createdAtMs: 1,
    expiresAtMs: 10,
  });
  signIns.insert(row('sgn_1', 'a'));
  signIns.insert(row('sgn_2', 'b'));
  signIns.insert(row('sgn_3', 'c', 'other'));
  t.strictSame(signIns.find(digest('a'), 9), {
    id: 'sgn_1',
    accountId: 'acc_acme',
    organizationId: 'org_acme',
    accountName: 'acme',
    createdAtMs: 1,
    expiresAtMs: 10,
  });
  t.equal(signIns.find(digest('a'), 10), undefined);
  signIns.endOthers('acc_acme', 'sgn_1');
  t.strictSame(
    ['a', 'b', 'c'].map((digit) => signIns.find(digest(digit), 9)?.id),
    ['sgn_1', undefined, 'sgn_3'],
  );
  signIns.end(digest('a'));
  t.equal(signIns.find(digest('a'), 9), undefined);
});
