import t from 'tap';
import { account, openStore } from './open-store.ts';

t.test('a password is found by its address in any case, and takes the place of the former one', async (t) => {
  const { accounts, passwords } = openStore(t);
  accounts.insert(account('acme'));
  const row = { accountId: 'acc_acme', email: 'Ada@example.com', hash: 'h1', changedAtMs: 1 };
  passwords.put(row);
  t.strictSame(passwords.byEmail('ada@EXAMPLE.com'), row);
  passwords.put({ ...row, email: 'ada@example.org', hash: 'h2', changedAtMs: 2 });
  t.equal(passwords.byEmail('ada@example.com'), undefined);
  t.match(passwords.byAccount('acc_acme'), { email: 'ada@example.org', hash: 'h2' });
});

t.test('an address belongs to one account, and a password to an account that there is', async (t) => {
  const { accounts, passwords } = openStore(t);
  accounts.insert(account('acme'));
  accounts.insert(account('other'));
  const row = { accountId: 'acc_acme', email: 'ada@example.com', hash: 'h', changedAtMs: 1 };
  passwords.put(row);
  t.throws(() => passwords.put({ ...row, accountId: 'acc_other', email: 'ADA@example.com' }), {
    code: 'SQLITE_CONSTRAINT_UNIQUE',
  });
  t.throws(() => passwords.put({ ...row, accountId: 'acc_none', email: 'x@y.z' }), {
    code: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  });
});
