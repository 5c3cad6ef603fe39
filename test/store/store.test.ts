import t from 'tap';
import { account, openStore, openTwice } from './open-store.ts';

t.test('a transaction that fails half-way has no effect, and throws its own error', async (t) => {
  const store = openStore(t);
  const failing = () =>
    store.atomically(() => {
      store.accounts.insert(account('acme'));
      throw new Error('half-way');
    });
  t.throws(failing, { message: 'half-way' });
  t.strictSame(store.accounts.list(), []);
  t.equal(
    store.atomically(() => store.atomically(() => 7)),
    7,
  );
});

t.test('one connection reads what another committed', async (t) => {
  const [one, two] = openTwice(t);
  one.accounts.insert(account('acme'));
  t.equal(two.accounts.byName('acme')?.id, 'acc_acme');
});
