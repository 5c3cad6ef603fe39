import t from 'tap';
import { account, openStore } from './open-store.ts';

t.test('an account is found by its name, whatever the case', async (t) => {
  const { accounts } = openStore(t);
  t.equal(accounts.insert(account('acme')), true);
  t.strictSame({ ...accounts.byName('ACME') }, account('acme'));
  t.equal(accounts.byName('other'), undefined);
});

t.test('a name is given once, and the first account keeps it', async (t) => {
  const { accounts } = openStore(t);
  accounts.insert(account('acme'));
  t.equal(accounts.insert({ ...account('acme'), id: 'acc_2', organizationId: 'org_2', name: 'Acme' }), false);
  t.strictSame(
    accounts.list().map(({ id }) => id),
    ['acc_acme'],
  );
});

t.test('accounts are listed oldest first', async (t) => {
  const { accounts } = openStore(t);
  for (const [name, atMs] of [
    ['b', 2],
    ['c', 2],
    ['a', 1],
  ] as const)
    accounts.insert(account(name, atMs));
  t.strictSame(
    accounts.list().map(({ name }) => name),
    ['a', 'b', 'c'],
  );
});

t.test('an empty or too long name, or a repeated id, is refused by the table itself', async (t) => {
  const { accounts } = openStore(t);
  t.throws(() => accounts.insert({ ...account('x'), name: '' }), { code: 'SQLITE_CONSTRAINT_CHECK' });
  t.throws(() => accounts.insert({ ...account('x'), name: 'x'.repeat(65) }), { code: 'SQLITE_CONSTRAINT_CHECK' });
  accounts.insert(account('x'));
  t.throws(() => accounts.insert({ ...account('y'), id: 'acc_x' }), { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
  t.throws(() => accounts.insert({ ...account('y'), organizationId: 'org_x' }), { code: 'SQLITE_CONSTRAINT_UNIQUE' });
});
