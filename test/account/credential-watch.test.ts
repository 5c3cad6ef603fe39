import t from 'tap';
import { CredentialWatch, WATCH_POLL_MS } from '../../server/account/credential-watch.ts';
import { account, openTwice } from '../store/open-store.ts';
import { ManualClock } from './manual-clock.ts';

function open(t: Parameters<typeof openTwice>[0]) {
  const [store, adminStore] = openTwice(t);
  const clock = new ManualClock();
  const rotated: string[] = [];
  const errors: unknown[] = [];
  const watch = new CredentialWatch({
    store,
    clock,
    purposes: ['one', 'two'],
    onRotated: (purpose) => rotated.push(purpose),
    onNewEpoch: (accountId) => rotated.push(accountId),
    onError: (error) => errors.push(error),
  });
  return { store, adminStore, clock, rotated, errors, watch };
}

t.test(
  'a secret that another process changes is another one within the time of a look, and that is told once',
  async (t) => {
    const { adminStore, clock, rotated, watch } = open(t);
    const [one, two] = [watch.secretOf('one')(), watch.secretOf('two')()];
    adminStore.secrets.rotate('one');
    clock.advance(WATCH_POLL_MS);
    t.notSame(watch.secretOf('one')(), one);
    t.same(watch.secretOf('one')(), adminStore.secrets.get('one'));
    t.same(watch.secretOf('two')(), two, 'the others stay');
    clock.advance(10 * WATCH_POLL_MS);
    t.same(rotated, ['one']);
  },
);

t.test('other changes of the database say nothing, and a fault in looking ends nothing', async (t) => {
  const { store, adminStore, clock, rotated, errors, watch } = open(t);
  adminStore.secrets.get('another purpose');
  clock.advance(WATCH_POLL_MS);
  t.same(rotated, []);
  const { dataVersion } = store;
  store.dataVersion = () => {
    throw new Error('locked');
  };
  adminStore.secrets.rotate('two');
  clock.advance(WATCH_POLL_MS);
  store.dataVersion = dataVersion;
  t.match(errors, [{ message: 'locked' }]);
  clock.advance(WATCH_POLL_MS);
  t.same(rotated, ['two']);
  watch.close();
  t.equal(clock.waiting, 0);
});

t.test(
  'a change that one poll could not read is found by the next, and a listener that fails does not affect the others',
  async (t) => {
    const { store, adminStore, clock, rotated, errors } = open(t);
    adminStore.accounts.insert(account('acme'));
    clock.advance(WATCH_POLL_MS);
    const { epochs } = store.accounts;
    store.accounts.epochs = () => {
      throw new Error('full');
    };
    adminStore.secrets.rotate('one');
    adminStore.accounts.beginEpoch('acc_acme');
    clock.advance(WATCH_POLL_MS);
    t.same(rotated, ['one']);
    t.match(errors, [{ message: 'full' }]);
    store.accounts.epochs = epochs;
    clock.advance(WATCH_POLL_MS);
    t.same(rotated, ['one', 'acc_acme'], 'though nothing was written since');
    const push = rotated.push.bind(rotated);
    rotated.push = (...told) => {
      push(...told);
      throw new Error('deaf');
    };
    for (const purpose of ['one', 'two']) adminStore.secrets.rotate(purpose);
    adminStore.accounts.beginEpoch('acc_acme');
    clock.advance(5 * WATCH_POLL_MS);
    t.same(rotated, ['one', 'acc_acme', 'one', 'two', 'acc_acme']);
    t.equal(errors.length, 4);
  },
);

t.test('a secret that is not watched is a fault', async (t) => {
  const { watch } = open(t);
  t.throws(() => watch.secretOf('three')(), /not watched/);
});
