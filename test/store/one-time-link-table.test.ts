import t from 'tap';
import { account, digest, openStore, openTwice } from './open-store.ts';

t.test('of two connections that take one link, one gets it', async (t) => {
  const [one, two] = openTwice(t);
  one.accounts.insert(account('acme'));
  const row = { purpose: 'sign-in', accountId: 'acc_acme', createdAtMs: 1, expiresAtMs: 10 } as const;
  one.oneTimeLinks.insert({ ...row, digest: digest('a') });
  t.strictSame(two.oneTimeLinks.read(digest('a'), 'sign-in', 9), { ...row, digest: digest('a') });
  t.equal(two.oneTimeLinks.take(digest('a'), 'invitation', 9), undefined, 'of another purpose');
  t.equal(two.oneTimeLinks.take(digest('a'), 'sign-in', 10), undefined, 'at its end');
  t.ok(two.oneTimeLinks.take(digest('a'), 'sign-in', 9));
  t.equal(one.oneTimeLinks.take(digest('a'), 'sign-in', 9), undefined);
});

t.test(
  'a link that is nobody’s is refused by the table itself, and a new invitation ends the former one',
  async (t) => {
    const { oneTimeLinks } = openStore(t);
    const row = { createdAtMs: 1, expiresAtMs: 10 };
    t.throws(() => oneTimeLinks.insert({ ...row, purpose: 'sign-in', digest: digest('a') }), {
      code: 'SQLITE_CONSTRAINT_CHECK',
    });
    t.throws(() => oneTimeLinks.insert({ ...row, purpose: 'invitation', digest: digest('a') }), {
      code: 'SQLITE_CONSTRAINT_CHECK',
    });
    oneTimeLinks.insert({ ...row, purpose: 'invitation', email: 'a@b.c', digest: digest('a') });
    oneTimeLinks.insert({
      createdAtMs: 2,
      expiresAtMs: 20,
      purpose: 'invitation',
      email: 'A@b.c',
      digest: digest('b'),
    });
    t.equal(oneTimeLinks.read(digest('a'), 'invitation', 5), undefined);
  },
);
