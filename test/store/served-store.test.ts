import { rmSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import t from 'tap';
import { systemClock } from '../../server/flow/clock.ts';
import { databasePath } from '../../server/store/database.ts';
import { Sqlite } from '../../server/store/sqlite.ts';
import { SERVING_BUSY_TIMEOUT_MS, Store } from '../../server/store/store.ts';
import { openServed } from './open-served.ts';
import { account } from './open-store.ts';

t.test('a change is durable after a moment, and so is the next one', async (t) => {
  const { store, failures } = await openServed(t);
  await store.durable();
  store.accounts.insert(account('acme'));
  await store.durable();
  await Promise.all([store.durable(), store.durable()]);
  t.strictSame(failures, []);
});

t.test('a change that is not committed cannot be durable', async (t) => {
  const { store } = await openServed(t);
  const waiting = store.atomically(() => ({ settled: store.durable() }));
  await t.rejects(waiting.settled, { message: /not committed/ });
});

t.test('once the log is lost nothing is promised: changes are refused before they are made', async (t) => {
  const { path, store, failures } = await openServed(t);
  rmSync(`${path}-wal`);
  store.accounts.insert(account('acme'));
  await t.rejects(store.durable(), { code: 'store_unavailable', retryable: true, retryAfterSeconds: 1 });
  t.match(failures, [/removed/]);
  t.match(store.failure, /removed/);
  let ran = false;
  await t.rejects(
    store.commit(() => {
      ran = true;
    }),
    { code: 'store_unavailable' },
  );
  t.notOk(ran);
  t.equal(failures.length, 1, 'which is told once');
});

t.test(
  'while another connection holds the lock, changes wait off the thread and are made when it is given back',
  async (t) => {
    const { path, store } = await openServed(t);
    await store.durable();
    const other = new Sqlite(path, { timeout: 0 });
    t.teardown(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    const startedMs = performance.now();
    const names = Array.from({ length: 100 }, (_, index) => `account-${index}`);
    const changes = names.map((name) => store.commit(() => store.accounts.insert(account(name))));
    t.ok(
      performance.now() - startedMs < (names.length * SERVING_BUSY_TIMEOUT_MS) / 2,
      'one short wait for all of them, instead of one for each',
    );
    setTimeout(() => other.exec('ROLLBACK'), 100);
    t.strictSame(
      await Promise.all(changes),
      names.map(() => true),
    );
    t.equal(store.accounts.list().length, names.length);
  },
);

t.test('a lock that lasts is answered within half a second, and nothing is written later', async (t) => {
  const { path, store } = await openServed(t);
  const other = new Sqlite(path, { timeout: 0 });
  t.teardown(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  const startedMs = performance.now();
  await t.rejects(
    store.commit(() => store.accounts.insert(account('acme'))),
    { code: 'store_unavailable', retryable: true, retryAfterSeconds: 1 },
  );
  t.ok(performance.now() - startedMs >= 390);
  other.exec('ROLLBACK');
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.strictSame(store.accounts.list(), []);
  t.ok(store.accounts.insert(account('acme')));
});

t.test('a write that nobody waits for is tried once, reported, and left to a later attempt', async (t) => {
  const { path, store, troubles } = await openServed(t);
  const other = new Sqlite(path, { timeout: 0 });
  t.teardown(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  const write = () => void store.accounts.insert(account('acme'));
  t.notOk(store.attempt(write));
  const startedMs = performance.now();
  const times = 100;
  for (let time = 0; time < times; time++) store.attempt(write);
  t.ok(performance.now() - startedMs < (times * SERVING_BUSY_TIMEOUT_MS) / 2, 'the lock is waited for once');
  t.match(troubles, [{ code: 'SQLITE_BUSY' }]);
  other.exec('ROLLBACK');
  t.ok(store.attempt(write));
  t.throws(
    () =>
      store.attempt(() => {
        throw new TypeError('ours');
      }),
    { message: 'ours' },
    'a fault of ours is no trouble of the storage',
  );
});

t.test('a program that does one thing and ends has each write on disk when its call returns', async (t) => {
  const store = new Store(databasePath(t.testdir()));
  t.teardown(() => store.close());
  await store.durable();
  t.equal(await store.commit(() => store.accounts.insert(account('acme'))), true);
  t.equal(store.failure, undefined);
  t.equal(store.synchronous, 2, 'FULL, as SQLite numbers it');
});

t.test('a thread that cannot start promises nothing', async (t) => {
  const failures: string[] = [];
  let end: (reason: string) => void = () => undefined;
  const store = new Store(databasePath(t.testdir()), {
    clock: systemClock,
    startLog: () => ({
      send: () => undefined,
      onReceive: () => undefined,
      onClosed: (listener) => {
        end = listener;
      },
      close: async () => undefined,
    }),
    onFailed: (reason) => void failures.push(reason),
    onTrouble: () => undefined,
  });
  t.teardown(() => store.close());
  const waiting = store.durable();
  end('exit code 1');
  await t.rejects(waiting, { code: 'store_unavailable' });
  t.equal(failures.length, 1);
});
